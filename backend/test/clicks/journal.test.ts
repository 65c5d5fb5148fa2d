import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClassifier } from '../../src/clicks/classify-click.ts';
import { createCounting, readProgress, writeProgress } from '../../src/clicks/count-clicks-from-journal.ts';
import { segmentPath, segmentsIn, unreadableFolder } from '../../src/clicks/journal-files.ts';
import { createJournal, type Journal, type NewClick } from '../../src/clicks/journal-writer.ts';
import { dayOf } from '../../src/domain/analytics/calendar.ts';
import { sumDay } from '../../src/domain/analytics/daily-counts.ts';
import { readDay } from '../../src/domain/analytics/daily-counts-encoding.ts';
import type { ClickStore } from '../../src/store/interface/click-store.ts';
import type { Store } from '../../src/store/interface/store.ts';
import { sqlite } from '../support/sqlite.ts';
import { NOON, type TestDatabase } from '../support/store.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const DAY = dayOf(NOON);

let database: TestDatabase;
let store: Store;
let folder: string;
beforeEach(async () => {
  database = await sqlite.create();
  store = await database.open();
  folder = mkdtempSync(join(tmpdir(), 'terse-journal-'));
});
afterEach(async () => {
  await store.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const click = (more: Partial<NewClick> = {}): NewClick => ({
  link: 1,
  visitor: 5,
  agent: FIREFOX,
  referrer: 'https://a.example',
  country: '',
  ...more,
});
const lost: number[] = [];
const write = (more = {}): Journal => createJournal({ folder, onLost: (clicks) => lost.push(clicks), ...more });
const counter = (
  clicks: ClickStore = store.clicks,
  onRemoved = (_: number, __: number) => {},
  onUnreadable = (_: string) => {},
) => createCounting({ clicks, classify: createClassifier(), folder, journal: 'one', onRemoved, onUnreadable });
const clicksOf = async (link: number) => {
  const days = await store.clicks.days(link, 0, 1e6);
  return days.reduce((sum, { counts }) => sum + sumDay(readDay(counts)).clicks, 0);
};

describe('a journal', () => {
  it('stores clicks without changing them', async () => {
    await store.clicks.salt(DAY, new Uint8Array(16));
    const journal = write();
    journal.add(NOON, click({ link: 2 ** 40, visitor: 2 ** 48 - 1, country: 'NZ' }));
    journal.add(NOON, click({ link: 2 ** 40, agent: '', referrer: '' }));
    journal.commit();
    await counter().count();
    const [only] = await store.clicks.days(2 ** 40, DAY, DAY);
    const { hours, names } = readDay(only?.counts ?? '');
    expect(hours).toEqual(new Map([[12, { clicks: 1, visitors: 1, bots: 1 }]]));
    expect(names.countries).toEqual(new Map([['NZ', 1]]));
    expect(names.referrers).toEqual(new Map([['a.example', 1]]));
  });

  it('starts new segments and deletes counted ones', async () => {
    const journal = write({ segmentSize: 500 });
    const counting = counter(undefined, (bytes) => journal.removed(bytes));
    for (let tick = 0; tick < 100; tick += 1) {
      journal.add(NOON + tick, click());
      journal.commit();
      if (tick % 7 === 0) await counting.count();
    }
    await counting.count();
    expect(segmentsIn(folder)).toHaveLength(1);
    expect(journal.size).toBeLessThan(600);
    expect(await clicksOf(1)).toBe(100);
  });

  it('counts many different made-up referrers from several segments', async () => {
    const journal = write();
    for (let index = 0; index < 20_000; index += 1) {
      journal.add(NOON, click({ referrer: `https://host-${index}.example`, agent: `${FIREFOX} ${index % 5}` }));
    }
    journal.commit();
    expect(segmentsIn(folder).length).toBeGreaterThan(2);
    await counter().count();
    expect(await clicksOf(1)).toBe(20_000);
  });

  it('is counted with at most one aggregate per link and day in each transaction', async () => {
    const journal = write();
    for (let at = 0; at < 70_000; at += 1) journal.add(NOON, click({ link: 1, visitor: 1 + (at % 3) }));
    for (let link = 2; link < 600; link += 1) journal.add(NOON, click({ link }));
    journal.commit();
    const batches: number[][] = [];
    const apply: ClickStore['apply'] = async ({ aggregates }) => batches.push(aggregates.map(({ link }) => link)) > 0;
    await counter({ ...store.clicks, apply }).count();
    for (const links of batches) expect(new Set(links).size).toBe(links.length);
    expect(batches.map(({ length }) => length)).toEqual([1, 250, 250, 99]);
  });

  it('continues from the progress format of version 0.1, which has no maximum number of clicks per aggregate', () => {
    expect(readProgress('3:8:1000:2')).toEqual({ segment: 3, start: 8, end: 1000, done: 2, most: Infinity });
    for (const most of [Infinity, 65_536]) {
      const progress = { segment: 3, start: 8, end: 1000, done: 2, most };
      expect(readProgress(writeProgress(progress))).toEqual(progress);
    }
  });

  it('is counted in transactions with a maximum number of visitors, even if one link gets many clicks', async () => {
    const journal = write();
    for (let visitor = 0; visitor < 200_000; visitor += 1) journal.add(NOON, click({ visitor }));
    journal.commit();
    const parts: number[] = [];
    const apply: ClickStore['apply'] = async ({ aggregates }) => parts.push(aggregates[0]?.visitors.size ?? 0) > 0;
    await counter({ ...store.clicks, apply }).count();
    expect(parts).toEqual([65_536, 65_536, 65_536, 200_000 - 3 * 65_536]);
  });

  it('contains no visitor data after its segment has ended and was counted', async () => {
    const journal = write();
    journal.add(NOON, click());
    journal.commit();
    journal.endSegment();
    await counter().count();
    const files = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
    expect(files).toEqual([8]);
  });

  it('is deleted at its end, with its progress record', async () => {
    const journal = write();
    journal.add(NOON, click());
    journal.commit();
    journal.close();
    await counter().finish();
    expect(await store.clicks.progress('one')).toBeNull();
    expect(() => readdirSync(folder)).toThrow('ENOENT');
    expect(await clicksOf(1)).toBe(1);
  });

  it('stops at its maximum size, reports lost clicks, and continues when space is available', async () => {
    lost.length = 0;
    const journal = write({ most: 4000, segmentSize: 1000 });
    for (let tick = 0; tick < 200; tick += 1) {
      journal.add(NOON, click());
      journal.commit();
    }
    expect(journal.size).toBeLessThanOrEqual(4000);
    const counting = counter(undefined, (bytes) => journal.removed(bytes));
    await counting.count();
    const before = await clicksOf(1);
    expect(before + lost.length).toBe(200);
    expect(lost.length).toBeGreaterThan(0);
    journal.add(NOON, click());
    journal.commit();
    await counting.count();
    expect(await clicksOf(1)).toBe(before + 1);
  });

  it('reports lost clicks if the disk cannot be written, and continues', async () => {
    lost.length = 0;
    const journal = write();
    rmSync(folder, { recursive: true });
    journal.add(NOON, click());
    journal.add(NOON, click());
    journal.commit();
    expect(lost).toEqual([2]);
  });

  it('that ends in an incomplete record is counted up to that record', async () => {
    const journal = write();
    for (const link of [1, 2, 3]) {
      journal.add(NOON, click({ link }));
      journal.commit();
    }
    journal.close();
    const path = segmentPath(folder, 1);
    truncateSync(path, statSync(path).size - 1);
    await counter().count();
    expect([await clicksOf(1), await clicksOf(2), await clicksOf(3)]).toEqual([1, 1, 0]);
  });

  it('with a wrong checksum is counted up to the wrong record', async () => {
    const journal = write();
    journal.add(NOON, click());
    journal.commit();
    journal.close();
    appendFileSync(segmentPath(folder, 1), Buffer.alloc(200, 1));
    await counter().count();
    expect(await clicksOf(1)).toBe(1);
  });

  it('moves a segment of unknown format aside unchanged, and counts the other segments', async () => {
    const journal = write();
    journal.add(NOON, click());
    journal.commit();
    journal.endSegment();
    journal.add(NOON, click());
    journal.commit();
    journal.close();
    const later = 'TERSEC99 and more of a later version';
    writeFileSync(segmentPath(folder, 1), later);
    const put: string[] = [];
    const counting = counter(
      undefined,
      () => {},
      (file) => put.push(file),
    );
    for (let times = 0; times < 2; times += 1) await counting.count();
    expect(await clicksOf(1)).toBe(1);
    expect(segmentsIn(folder)).toEqual([2]);
    expect(put.map((file) => readFileSync(file, 'utf8'))).toEqual([later]);
    rmSync(unreadableFolder(folder), { recursive: true });
  });
});

/** Throws at the n-th batch, before or after its commit. This simulates a crash or a broken connection. */
function failing(clicks: ClickStore, at: number, when: 'before' | 'after'): ClickStore {
  let batches = 0;
  return {
    ...clicks,
    async apply(batch) {
      batches += 1;
      if (batches === at && when === 'before') throw new Error('died before');
      const counted = await clicks.apply(batch);
      if (batches === at) throw new Error('died after');
      return counted;
    },
  };
}

describe('counting', () => {
  let nextLinks = 1;
  it('counts each click once, even if it fails at any point and another process continues', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ clicks: fc.integer({ min: 1, max: 400 }) }) },
      {
        weight: 2,
        arbitrary: fc.record({ die: fc.integer({ min: 1, max: 3 }), when: fc.constantFrom('before', 'after') }),
      },
      { weight: 1, arbitrary: fc.constant({ rotate: true }) },
      { weight: 1, arbitrary: fc.constant({ anew: true }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const own = mkdtempSync(join(folder, 'run-'));
        const name = own.slice(-6);
        const links = nextLinks;
        nextLinks += 1000;
        const journal = createJournal({ folder: own, onLost: () => {} });
        const services = {
          classify: createClassifier(),
          folder: own,
          journal: name,
          onRemoved: () => {},
          onUnreadable: () => {},
        };
        let counting = createCounting({ ...services, clicks: store.clicks });
        let written = 0;
        for (const action of steps) {
          if ('clicks' in action) {
            // The number of links exceeds the limit of one transaction, so that the test can interrupt the count
            // halfway.
            for (let index = 0; index < action.clicks; index += 1)
              journal.add(NOON, click({ link: links + (index % 300) }));
            journal.commit();
            written += action.clicks;
            await counting.count();
          } else if ('die' in action) {
            for (let index = 0; index < 700; index += 1) journal.add(NOON, click({ link: links + index }));
            journal.commit();
            written += 700;
            const when = action.when as 'before' | 'after';
            const dying = createCounting({ ...services, clicks: failing(store.clicks, action.die, when) });
            await dying.count().catch(() => {});
            counting = createCounting({ ...services, clicks: store.clicks });
          } else if ('rotate' in action) journal.endSegment();
          else counting = createCounting({ ...services, clicks: store.clicks });
        }
        await counting.count();
        await counting.count();
        let counted = 0;
        for (let link = links; link < links + 700; link += 1) counted += await clicksOf(link);
        journal.close();
        expect(counted).toBe(written);
      }),
      { numRuns: 25 },
    );
  });
});
