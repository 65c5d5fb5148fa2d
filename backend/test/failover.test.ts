import { afterAll, beforeAll, expect, it } from 'vitest';
import { chanceFrom } from '../../scripts/torture/random-choices.ts';
import { type Cluster, failOver, startCluster, startLoad } from './support/cluster/cluster.ts';

// Cluster that uses the files of deploy/cluster without changes. `npm run torture -- --test failover` tests more
// kinds of failures.
let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
  // The timeout includes the installation of Patroni, etcd and HAProxy.
}, 10 * 60_000);
afterAll(() => cluster.stop());

it('the cluster lets only its own machines restart PostgreSQL or change Patroni’s settings', async () => {
  const [{ host } = { host: '' }] = cluster.databases;
  const ask = (method: string, path: string) => fetch(`http://${host}:8008${path}`, { method });
  expect((await ask('GET', '/patroni')).status).toBe(200);
  for (const [method, path] of [
    ['POST', '/restart'],
    ['POST', '/failover'],
    ['PATCH', '/config'],
  ] as const) {
    expect((await ask(method, path)).status).toBe(403);
  }
});

it('the cluster replaces a lost primary without an operator, and loses no confirmed link or click', async () => {
  const load = await startLoad(cluster, 9, chanceFrom(9));
  await failOver(cluster, load, 'kill');
  expect((await load.end()).broken).toEqual([]);
}, 300_000);
