import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import type { Load } from './load.ts';

/** Maximum time for counting all clicks after the load has ended, in milliseconds. */
const PATIENCE = 60_000;

/**
 * Compares the service's data with the clients' records after the load has ended. Returns a message for each
 * difference.
 */
export async function brokenPromises(cluster: Cluster, { made, answered, complaints }: Load): Promise<string[]> {
  const broken = [...complaints];
  for (const { processes } of cluster.web) {
    for (const { child, stderr } of processes) {
      if (child.exitCode !== null || child.signalCode !== null) broken.push(`A process has ended:\n${stderr()}`);
    }
  }
  const stored = await cluster.primary.ask<{ code: string; url: string }>('SELECT code, url FROM links', 'terse');
  const urls = new Map(stored.map(({ code, url }) => [code, url]));
  for (const [code, { url }] of made) {
    if (urls.get(code) !== url) broken.push(`${code} was answered for ${url}, and the database has ${urls.get(code)}`);
  }
  if (made.size !== answered.size || stored.length !== answered.size) {
    broken.push(`${answered.size} requests made ${made.size} links, and the database has ${stored.length}`);
  }
  return [...broken, ...(await miscounted(cluster, made))];
}

async function miscounted(cluster: Cluster, made: Load['made']): Promise<string[]> {
  const until = performance.now() + PATIENCE;
  for (;;) {
    const wrong = await differences(cluster, made);
    if (wrong.length === 0 || performance.now() > until) return wrong;
    await sleep(200);
  }
}

async function differences(cluster: Cluster, made: Load['made']): Promise<string[]> {
  const rows = await cluster.primary.ask<{ code: string; clicks: string }>(
    'SELECT code, coalesce(clicks, 0) AS clicks FROM links LEFT JOIN click_totals ON link_id = id',
    'terse',
  );
  return rows.flatMap(({ code, clicks }) => {
    const { clicks: least = 0, unanswered = 0 } = made.get(code) ?? {};
    const counted = Number(clicks);
    if (counted >= least && counted <= least + unanswered) return [];
    return [`${code}: ${least} visits were answered, ${unanswered} were not, and ${counted} are counted`];
  });
}
