import { dayOf } from '../../backend/src/domain/analytics/calendar.ts';
import { createAggregator, type Source } from '../../backend/src/domain/analytics/sum-clicks-per-day.ts';
import { FIRST_ACCOUNT } from '../../backend/src/store/interface/store.ts';
import { type DatabaseAddress, openStore } from '../../backend/src/store/open-store.ts';
import { type Figure, plain } from '../figures.ts';
import { TRAFFIC } from './traffic.ts';

const BILLION = 1_000_000_000;
/** Approximate number of clicks that the service sums in memory before it writes the sums to the database. */
const HELD = 2 ** 18;
const SOURCE: Source = {
  agent: { bot: false, browser: 'Chrome', system: 'Windows', device: 'desktop' },
  referrer: 'news.example',
  country: '',
};

/** Returns the number of database rows written per click, for each kind of traffic and for two batch sizes. */
export function rowsOfClicks(): Figure[] {
  return Object.entries(TRAFFIC).flatMap(([shape, next]) =>
    [10_000, HELD].map((clicks) => {
      const aggregator = createAggregator();
      for (let at = 0; at < clicks; at += 1) {
        aggregator.add({ link: next(BILLION), instant: 0, visitor: at, source: SOURCE });
      }
      let rows = 0;
      for (const _ of aggregator.inOrder()) rows += 1;
      const name = `days of links written a click, traffic ${shape}, ${clicks.toLocaleString('en')} clicks added up`;
      return plain(name, (rows / clicks).toFixed(2));
    }),
  );
}

/** Number of aggregates per write. Same value as in `clicks/count-clicks-from-journal.ts`. */
const AGGREGATES = 250;
const LINKS = 10_000;

/** Measures how many clicks per second the service counts if every click of a batch is on a different link. */
export async function loneClicks(database: DatabaseAddress, seconds: number): Promise<number> {
  const store = await openStore(database, Date.now());
  const links: number[] = [];
  for (let made = 0; made < LINKS; made += 100) {
    const batch = Array.from({ length: 100 }, (_, at) =>
      store.links.create(FIRST_ACCOUNT, draft(`lone-${made + at}`), Date.now()),
    );
    for (const link of await Promise.all(batch)) if (link) links.push(link.id);
  }
  const today = dayOf(Date.now());
  await store.clicks.salt(today, new Uint8Array(16));
  const start = performance.now();
  let clicks = 0;
  for (let batch = 0; performance.now() - start < 1000 * seconds; batch += 1) {
    const aggregator = createAggregator();
    for (let at = 0; at < AGGREGATES; at += 1) {
      const link = links[(batch * AGGREGATES + at) % links.length] as number;
      aggregator.add({ link, instant: Date.now(), visitor: clicks + at, source: SOURCE });
    }
    const [from, to] = [batch === 0 ? null : String(batch - 1), String(batch)];
    await store.clicks.apply({ journal: 'simulation', from, to, aggregates: [...aggregator.inOrder()] });
    clicks += AGGREGATES;
  }
  const rate = clicks / ((performance.now() - start) / 1000);
  await store.close();
  return rate;
}

const draft = (code: string) => ({
  codes: [code],
  url: 'https://www.example.com/',
  title: null,
  expiresAt: null,
  forwardQuery: null,
  tags: [],
});
