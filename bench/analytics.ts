import { DatabaseSync } from 'node:sqlite';
import {
  addCount,
  type DayCounts,
  dayOf,
  emptyDay,
  hourIn,
  writeDay,
} from '../backend/src/domain/analytics/day-counts.ts';
import { openStore } from '../backend/src/store/open-store.ts';
import { FIRST_ACCOUNT } from '../backend/src/store/sql/account-queries.ts';
import { codeAt, makeKeys } from './database.ts';
import { atMost, type Figure } from './figures.ts';
import { PORTS, startTerse } from './process.ts';

/** Number of requests that an API key may send in one burst. */
const BURST = 20;
const KEYS = 6;

/** Number of days with clicks. Each day has clicks in every hour, with `NAMES` different referrers and countries. */
const DAYS = 365;
const NAMES = 50;
const KINDS = { referrers: NAMES, countries: NAMES, browsers: 15, systems: 8, devices: 4 } as const;

/** Measures the CPU time of the service for a year of analytics of a link with ten million clicks. */
export async function measureAnalytics(path: string): Promise<Figure[]> {
  const clicks = 10_000_000;
  await addClicks(path, codeAt(2), clicks);
  const keys = await makeKeys({ engine: 'sqlite', path }, KEYS);
  const terse = await startTerse(`file:${path}`);
  const [warmUp = '', ...measured] = keys;
  await askYear(warmUp, clicks);
  const before = terse.processorTime();
  for (const key of measured) await askYear(key, clicks);
  const each = (1000 * (terse.processorTime() - before)) / (measured.length * BURST);
  await terse.stop();
  return [atMost(`a year of analytics of ${clicks.toLocaleString('en')} clicks, processor time`, each, 60, ' ms')];
}

async function askYear(key: string, clicks: number): Promise<void> {
  const from = new Date(Date.now() - (DAYS - 1) * 86_400_000).toISOString().slice(0, 10);
  const address = `http://127.0.0.1:${PORTS.api}/api/v1/analytics/${codeAt(2)}?from=${from}`;
  for (let asked = 0; asked < BURST; asked += 1) {
    const response = await fetch(address, { headers: { 'X-API-Key': key } });
    const answer = (await response.json()) as { clicks: number };
    if (answer.clicks !== clicks) throw new Error(`Analytics answered ${JSON.stringify(answer)}`);
  }
}

/** Inserts click counts directly, because ten million clicks would have to be counted one by one. */
async function addClicks(path: string, code: string, clicks: number): Promise<void> {
  const store = await openStore({ engine: 'sqlite', path }, Date.now());
  const { id } = (await store.links.find(FIRST_ACCOUNT, code)) ?? { id: 0 };
  await store.close();
  const database = new DatabaseSync(path);
  const addDay = database.prepare('INSERT INTO click_days (link_id, day, counts) VALUES (?, ?, ?)');
  const today = dayOf(Date.now());
  const each = Math.floor(clicks / DAYS);
  for (let ago = 0; ago < DAYS; ago += 1) {
    const most = ago === 0 ? clicks - each * (DAYS - 1) : each;
    addDay.run(id, today - ago, writeDay(popularDay(most)));
  }
  database.prepare('UPDATE click_totals SET clicks = clicks + ? WHERE link_id = ?').run(clicks, id);
  database.close();
}

/** Spreads clicks over hours, referrers and other properties, as if the link were popular. */
function popularDay(clicks: number): DayCounts {
  const counts = emptyDay();
  const portions = 24 * NAMES;
  for (let at = 0; at < portions; at += 1) {
    const some = Math.floor(clicks / portions) + (at < clicks % portions ? 1 : 0);
    hourIn(counts, at % 24).clicks += some;
    for (const [kind, names] of Object.entries(KINDS) as [keyof typeof KINDS, number][]) {
      addCount(counts.names[kind], `${kind}-${at % names}.example`, some);
    }
  }
  return counts;
}
