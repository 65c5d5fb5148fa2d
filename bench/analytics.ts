import { dayOf } from '../backend/src/domain/analytics/calendar.ts';
import {
  type Aggregate,
  addDay,
  type DayCounts,
  emptyDay,
  hourIn,
} from '../backend/src/domain/analytics/daily-counts.ts';
import { addCount } from '../backend/src/domain/analytics/top-values.ts';
import { FIRST_ACCOUNT } from '../backend/src/store/interface/store.ts';
import { openStore } from '../backend/src/store/open-store.ts';
import { codeAt, makeKeys } from './database.ts';
import { atMost, type Figure, median, plain } from './figures.ts';
import { PORTS, startTerse } from './process.ts';

/** Number of requests that an API key may send in one burst. */
const BURST = 20;
const KEYS = 30;

/** Number of days with clicks. Each day has clicks in every hour, with `NAMES` different referrers and countries. */
const DAYS = 30;
const NAMES = 50;

/** Compares the response times of analytics requests for a link with ten million clicks and a link with ten clicks. */
export async function measureAnalytics(path: string): Promise<Figure[]> {
  await clickMuch(path, [
    { code: codeAt(1), clicks: 10 },
    { code: codeAt(2), clicks: 10_000_000 },
  ]);
  const keys = await makeKeys({ engine: 'sqlite', path }, KEYS);
  const terse = await startTerse(path);
  const times = { few: [] as number[], many: [] as number[] };
  for (const [index, key] of keys.entries()) {
    for (let asked = 0; asked < BURST / 2; asked += 1) {
      const few = await ask(codeAt(1), key);
      const many = await ask(codeAt(2), key);
      if (many.clicks !== 10_000_000) throw new Error(`The analytics tell ${many.clicks} clicks.`);
      // Requests with the first third of the API keys only warm up the service, so their times are not recorded.
      if (index >= KEYS / 3) {
        times.few.push(few.time);
        times.many.push(many.time);
      }
    }
  }
  await terse.stop();
  return [
    plain('analytics of 10 clicks', `${median(times.few).toFixed(2)} ms`),
    plain('analytics of 10,000,000 clicks', `${median(times.many).toFixed(2)} ms`),
    atMost('10,000,000 clicks to 10', median(times.many) / median(times.few), 1.5, ' times', 2),
  ];
}

async function ask(code: string, key: string): Promise<{ time: number; clicks: number }> {
  const start = performance.now();
  const address = `http://127.0.0.1:${PORTS.api}/api/v1/analytics/${code}`;
  const response = await fetch(address, { headers: { 'X-API-Key': key } });
  if (response.status !== 200) throw new Error(`Analytics answered ${response.status}: ${await response.text()}`);
  const { clicks } = (await response.json()) as { clicks: number };
  return { time: performance.now() - start, clicks };
}

async function clickMuch(path: string, links: { code: string; clicks: number }[]): Promise<void> {
  const store = await openStore({ engine: 'sqlite', path }, Date.now());
  for (const { code, clicks } of links) {
    const { id } = (await store.links.find(FIRST_ACCOUNT, code)) ?? { id: 0 };
    await store.clicks.apply({ journal: `bench ${code}`, from: null, to: 'all', aggregates: spread(id, clicks) });
  }
  await store.close();
}

/**
 * Spreads clicks over days, hours, referrers and other properties, as if the link were popular. If there are only a
 * few clicks, some days have none.
 */
function spread(link: number, clicks: number): Aggregate[] {
  const today = dayOf(Date.now());
  const days = Array.from({ length: DAYS }, () => emptyDay());
  const step = Math.max(1, Math.floor(clicks / (DAYS * 24 * NAMES)));
  for (let at = 0, left = clicks; left > 0; at += 1) {
    const some = Math.min(left, step);
    left -= some;
    addDay(days[at % DAYS] as DayCounts, oneHour(at, some));
  }
  return days
    .map((counts, index) => ({ link, day: today - index, counts, visitors: new Map() }))
    .filter(({ counts }) => counts.hours.size > 0);
}

function oneHour(at: number, clicks: number): DayCounts {
  const counts = emptyDay();
  hourIn(counts, Math.floor(at / DAYS) % 24).clicks = clicks;
  for (const [kind, most] of [
    ['referrers', NAMES],
    ['countries', NAMES],
    ['browsers', 15],
    ['systems', 8],
    ['devices', 4],
  ] as const) {
    addCount(counts.names[kind], `${kind}-${Math.floor(at / DAYS) % most}.example`, clicks);
  }
  return counts;
}
