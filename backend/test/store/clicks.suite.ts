import { describe, expect, it } from 'vitest';
import { dayOf } from '../../src/domain/analytics/calendar.ts';
import { type Aggregate, emptyDay, hourIn, sumDay } from '../../src/domain/analytics/daily-counts.ts';
import { readDay } from '../../src/domain/analytics/daily-counts-encoding.ts';
import { addCount } from '../../src/domain/analytics/top-values.ts';
import type { ClickBatch } from '../../src/store/interface/click-store.ts';
import { FIRST_ACCOUNT } from '../../src/store/interface/store.ts';
import { link, makeKey, NOON, submission } from '../support/store.ts';
import type { Bench } from './suite.ts';

const DAY = dayOf(NOON);
const SALT = new Uint8Array(16).fill(1);

export function clicksSuite(bench: Bench): void {
  const batch = (more: Partial<ClickBatch> = {}) =>
    bench.store.clicks.apply({ journal: 'one', from: null, to: 'a', aggregates: [aggregate()], ...more });
  const days = async (linkId: number, from = DAY, to = DAY) =>
    (await bench.store.clicks.days(linkId, from, to)).map(({ day, counts }) => ({ day, counts: readDay(counts) }));
  const sums = async (linkId: number, from = DAY, to = DAY) =>
    (await days(linkId, from, to)).map(({ day, counts }) => ({ day, ...sumDay(counts) }));

  describe('clicks', () => {
    it('add up by link, day, hour and name', async () => {
      await bench.store.clicks.salt(DAY, SALT);
      await batch({ aggregates: [aggregate({ hour: 12, referrer: 'a.example', visitors: [1, 2] })] });
      await batch({
        from: 'a',
        to: 'b',
        aggregates: [aggregate({ hour: 13, referrer: 'a.example', visitors: [2, 3] })],
      });
      const [only] = await days(7);
      expect(only?.counts.hours).toEqual(
        new Map([
          [12, { clicks: 2, visitors: 2, bots: 1 }],
          [13, { clicks: 2, visitors: 1, bots: 1 }],
        ]),
      );
      expect(only?.counts.names.referrers).toEqual(new Map([['a.example', 4]]));
      expect(only?.counts.names.browsers).toEqual(new Map());
    });

    it('are counted once, even if a part of a journal is submitted repeatedly', async () => {
      expect(await bench.store.clicks.progress('one')).toBeNull();
      const outcomes = [
        await batch(),
        await batch(),
        await batch({ from: 'a', to: 'b' }),
        await batch({ from: 'a', to: 'b' }),
      ];
      expect(outcomes).toEqual([true, false, true, false]);
      expect(await bench.store.clicks.progress('one')).toBe('b');
      expect(await sums(7)).toMatchObject([{ clicks: 4 }]);
    });

    it('are counted once if two processes submit the same part at the same time', async () => {
      const other = await bench.database.open();
      const part: ClickBatch = { journal: 'one', from: null, to: 'a', aggregates: [aggregate()] };
      const outcomes = await Promise.all([bench.store.clicks.apply(part), other.clicks.apply(part)]);
      await other.close();
      expect(outcomes.toSorted()).toEqual([false, true]);
      expect(await sums(7)).toMatchObject([{ clicks: 2 }]);
    });

    it('of several journals are all counted, also at the same time', async () => {
      const other = await bench.database.open();
      const parts = ['one', 'two', 'three', 'four'].map((journal, index) =>
        (index % 2 ? other : bench.store).clicks.apply({
          journal,
          from: null,
          to: 'a',
          aggregates: [aggregate(), aggregate({ link: 8 })],
        }),
      );
      expect(await Promise.all(parts)).toEqual([true, true, true, true]);
      await other.close();
      expect([...(await sums(7)), ...(await sums(8))]).toMatchObject([{ clicks: 8 }, { clicks: 8 }]);
    });

    it('are in the total of their link', async () => {
      const key = await makeKey(bench.store);
      await bench.store.createRequests.submit(submission(key, { links: [link(['clicked'])] }));
      expect(await bench.store.links.find(FIRST_ACCOUNT, 'clicked')).toMatchObject({ clicks: 0 });
      const { id } = (await bench.store.links.find(FIRST_ACCOUNT, 'clicked')) ?? { id: 0 };
      await batch({ aggregates: [aggregate({ link: id }), aggregate({ link: id, day: DAY + 1 })] });
      expect(await bench.store.links.find(FIRST_ACCOUNT, 'clicked')).toMatchObject({ clicks: 4 });
      expect(await bench.store.links.list(FIRST_ACCOUNT, null, 10)).toMatchObject([{ clicks: 4 }]);
    });

    it('of an account add up by hour, without other accounts and deleted links', async () => {
      const { links, accounts, clicks } = bench.store;
      const make = async (account: number, code: string) => (await links.create(account, link([code]), NOON))?.id ?? 0;
      const other = (await accounts.create('other', NOON)).id;
      const [one, two, gone, others] = [
        await make(FIRST_ACCOUNT, 'one'),
        await make(FIRST_ACCOUNT, 'two'),
        await make(FIRST_ACCOUNT, 'gone'),
        await make(other, 'others'),
      ];
      await links.remove(FIRST_ACCOUNT, 'gone', NOON);
      await batch({
        aggregates: [
          aggregate({ link: one, hour: 12 }),
          aggregate({ link: one, hour: 13, day: DAY + 1 }),
          aggregate({ link: two, hour: 12 }),
          aggregate({ link: gone, hour: 12 }),
          aggregate({ link: others, hour: 12 }),
          aggregate({ link: 999, hour: 12 }),
        ],
      });
      await batch({
        from: 'a',
        to: 'b',
        aggregates: [aggregate({ link: two, hour: 14 }), aggregate({ link: one, hour: 12 })],
      });
      await batch({ from: 'a', to: 'b', aggregates: [aggregate({ link: one, hour: 12 })] });
      const first = DAY * 24;
      expect(await clicks.accountHours(FIRST_ACCOUNT, first, first + 47)).toEqual([
        { hour: first + 12, clicks: 6 },
        { hour: first + 14, clicks: 2 },
        { hour: first + 37, clicks: 2 },
      ]);
      expect(await clicks.accountHours(FIRST_ACCOUNT, first + 13, first + 36)).toEqual([
        { hour: first + 14, clicks: 2 },
      ]);
      expect(await clicks.accountHours(other, first, first + 47)).toEqual([{ hour: first + 12, clicks: 2 }]);
      expect(await clicks.accountHoursSince()).toBeNull();
    });

    it('of an account are all added up if several processes count at the same time', async () => {
      const id = (await bench.store.links.create(FIRST_ACCOUNT, link(['busy']), NOON))?.id ?? 0;
      const other = await bench.database.open();
      const parts = ['one', 'two', 'three', 'four'].map((journal, index) =>
        (index % 2 ? other : bench.store).clicks.apply({
          journal,
          from: null,
          to: 'a',
          aggregates: [aggregate({ link: id }), aggregate({ link: id, hour: 13 })].toSpliced(1, index % 2),
        }),
      );
      await Promise.all(parts);
      await other.close();
      const sums = await bench.store.clicks.accountHours(FIRST_ACCOUNT, DAY * 24, DAY * 24 + 23);
      expect(sums.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(12);
    });

    it('are read for the requested days, in order, without empty days', async () => {
      const aggregates = [DAY + 2, DAY, DAY - 1, DAY + 5].map((day) => aggregate({ day }));
      await batch({ aggregates: [...aggregates, aggregate({ link: 8 })] });
      expect((await sums(7, DAY, DAY + 4)).map(({ day }) => day)).toEqual([DAY, DAY + 2]);
      expect(await sums(9)).toEqual([]);
    });

    it('store hostile names as plain text', async () => {
      const names = ["'; DROP TABLE links; --", '__proto__', '<script>alert(1)</script>', '\u202e\\u0000"', ''];
      await batch({ aggregates: names.map((referrer) => aggregate({ referrer })) });
      const [only] = await days(7);
      expect(only?.counts.names.referrers).toEqual(new Map(names.map((name) => [name, 2])));
    });

    it('store a maximum number of names per day, and lose no click', async () => {
      const names = Array.from({ length: 300 }, (_, index) => `host-${index}.example`);
      await batch({ aggregates: names.map((referrer) => aggregate({ referrer })) });
      const [only] = await days(7);
      const kept = only?.counts.names.referrers ?? new Map<string, number>();
      expect(kept.size).toBeLessThanOrEqual(101);
      expect([...kept.values()].reduce((sum, clicks) => sum + clicks)).toBe(600);
    });
  });

  describe('visitors', () => {
    it('are distinguished by link and day', async () => {
      await bench.store.clicks.salt(DAY, SALT);
      await bench.store.clicks.salt(DAY + 1, SALT);
      const visitors = [2 ** 48 - 1];
      const aggregates = [
        aggregate({ visitors }),
        aggregate({ visitors, link: 8 }),
        aggregate({ visitors, day: DAY + 1 }),
      ];
      await batch({ aggregates });
      await batch({ from: 'a', to: 'b', aggregates });
      expect(await sums(7, DAY, DAY + 1)).toMatchObject([{ visitors: 1 }, { visitors: 1 }]);
      expect(await sums(8)).toMatchObject([{ visitors: 1 }]);
    });

    it('have one salt per day for all processes', async () => {
      const other = await bench.database.open();
      const proposals = [SALT, new Uint8Array(16).fill(2)] as const;
      const [one, two] = await Promise.all([
        bench.store.clicks.salt(DAY, proposals[0]),
        other.clicks.salt(DAY, proposals[1]),
      ]);
      expect(Buffer.compare(one, two)).toBe(0);
      const third = await other.clicks.salt(DAY, new Uint8Array(16).fill(3));
      expect(Buffer.compare(one, third)).toBe(0);
      expect(Buffer.compare(one, await other.clicks.salt(DAY + 1, new Uint8Array(16).fill(4)))).not.toBe(0);
      await other.close();
    });

    it('are deleted in batches after their day, like salts, but their number is kept', async () => {
      await bench.store.clicks.salt(DAY, SALT);
      await bench.store.clicks.salt(DAY + 1, SALT);
      const visitors = [1, 2, 3, 4, 5];
      await batch({ aggregates: [aggregate({ visitors }), aggregate({ visitors, day: DAY + 1 })] });
      await bench.store.clicks.forgetSalts(DAY + 1);
      const forgotten: number[] = [];
      for (let times = 0; times < 3; times += 1) forgotten.push(await bench.store.clicks.forgetVisitors(DAY + 1, 3));
      expect(forgotten).toEqual([3, 2, 0]);
      expect(await sums(7, DAY, DAY + 1)).toMatchObject([{ visitors: 5 }, { visitors: 5 }]);
      await batch({ from: 'a', to: 'b', aggregates: [aggregate({ visitors }), aggregate({ visitors, day: DAY + 1 })] });
      expect(await sums(7, DAY, DAY + 1)).toMatchObject([
        { clicks: 4, visitors: 5 },
        { clicks: 4, visitors: 5 },
      ]);
    });
  });

  describe('a database', () => {
    it('has one permanent identity', async () => {
      const other = await bench.database.open();
      const both = await Promise.all([bench.store.clicks.identity('this'), other.clicks.identity('that')]);
      expect(new Set(both).size).toBe(1);
      expect(await other.clicks.identity('third')).toBe(both[0]);
      await other.close();
    });

    it('deletes the progress record of a journal on request', async () => {
      await batch();
      await bench.store.clicks.forgetJournal('one');
      expect(await bench.store.clicks.progress('one')).toBeNull();
      expect(await sums(7)).toMatchObject([{ clicks: 2 }]);
    });
  });
}

interface Told {
  link?: number;
  day?: number;
  hour?: number;
  referrer?: string;
  visitors?: number[];
}

function aggregate({ link = 7, day = DAY, hour = 12, referrer = 'a.example', visitors = [] }: Told = {}): Aggregate {
  const counts = emptyDay();
  Object.assign(hourIn(counts, hour), { clicks: 2, bots: 1 });
  addCount(counts.names.referrers, referrer, 2);
  return { link, day, counts, visitors: new Map(visitors.map((visitor) => [visitor, hour])) };
}
