import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Cluster, startCluster } from './support/cluster/cluster.ts';
import { failOver, returnUnasked } from './support/cluster/failover.ts';
import { startLoad } from './support/cluster/load.ts';
import { brokenPromises } from './support/cluster/verdict.ts';

/** Delay between two requests of a client, in milliseconds. Other tests run at the same time, so the load is low. */
const PACE = 20;

// Cluster that uses the files of deploy/cluster without changes. `npm run torture -- --test failover` tests more
// kinds of failures.
let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
  // The timeout includes the installation of HAProxy.
}, 10 * 60_000);
afterAll(() => cluster.stop());

it('the cluster lets HAProxy’s health check, which has no password, access only an empty database', async () => {
  const { primary } = cluster;
  const open =
    "SELECT datname FROM pg_database WHERE datallowconn AND has_database_privilege('haproxy_check', oid, 'CONNECT')";
  expect(await primary.ask(open)).toEqual([{ datname: 'haproxy_check' }]);
  const client = new Client({ host: primary.host, user: 'haproxy_check', database: 'haproxy_check' });
  await client.connect();
  expect((await client.query('SELECT accepts_writes()')).rows).toEqual([{ accepts_writes: true }]);
  for (const write of [
    'CREATE TABLE mine ()',
    'CREATE TEMPORARY TABLE mine ()',
    'SELECT lo_create(0)',
    'CREATE SCHEMA s',
  ]) {
    await expect(client.query(write)).rejects.toThrow(/permission denied/);
  }
  await client.end();
});

it('the cluster loses no confirmed link or click with its primary, and ignores a returning former primary', async () => {
  await expect(cluster.primary.run('promote.sh')).rejects.toThrow('This server is not a standby.');
  expect(await cluster.primary.ask('SHOW synchronous_standby_names')).toEqual([{ synchronous_standby_names: 'db2' }]);
  const load = await startLoad(cluster, PACE);
  await failOver(cluster, load, 'kill', 0);
  expect(await returnUnasked(cluster, load, 'kill', 1500)).toEqual([]);
  await cluster.other.stop();
  await cluster.rejoin();
  await load.end();
  expect(await brokenPromises(cluster, load)).toEqual([]);
}, 120_000);
