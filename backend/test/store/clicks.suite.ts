import { describe, expect, it } from 'vitest';
import { dayOf, startOf, type WaitingClick } from '../../src/domain/analytics/day-counts.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { clickStore } from '../../src/store/sql/click-queries.ts';
import { addAndCount, addClicks, click, clicksOn, countsOf } from '../support/clicks.ts';
import { link, NOON } from '../support/store.ts';
import type { Bench } from './suite.ts';

const DAY = dayOf(NOON);
const SALT = new Uint8Array(16).fill(1);
const MAX_VISITOR = 2 ** 48 - 1;

export function clicksSuite(bench: Bench): void {
  const makeLink = async (code: string, account = FIRST_ACCOUNT) =>
    (await bench.store.links.create(account, link([code]), NOON))?.id ?? 0;
  const add = (clicks: WaitingClick[]) => addClicks(bench.store, clicks);
  const count = (clicks: WaitingClick[]) => addAndCount(bench.store, clicks);
  const countsOn = (id: number, from = DAY, to = DAY) => countsOf(bench.store, id, from, to);

  describe('clicks', () => {
    it('add up by link, day, hour and name', async () => {
      const id = await makeLink('one');
      await bench.store.clicks.salt(DAY, SALT);
      const at = (hour: number, visitor: number) =>
        click(id, { at: startOf(DAY, hour), visitor, referrer: 'a.example', country: visitor === 1 ? 'AU' : 'NZ' });
      await count([at(12, 1), at(13, 1), at(13, 2), at(12, 2), click(id, { at: startOf(DAY, 12), bot: true })]);
      await count([at(13, 2), at(13, 3)]);
      const [only] = await bench.store.clicks.days(id, DAY, DAY);
      expect(only?.counts.hours).toEqual(
        new Map([
          [12, { clicks: 2, visitors: 2, bots: 1 }],
          [13, { clicks: 4, visitors: 1, bots: 0 }],
        ]),
      );
      expect(only?.counts.names).toEqual({
        referrers: new Map([['a.example', 6]]),
        browsers: new Map([['Firefox', 6]]),
        systems: new Map([['Linux', 6]]),
        devices: new Map([['desktop', 6]]),
        countries: new Map(Object.entries({ AU: 2, NZ: 4 })),
      });
    });

    it('are counted once if their batch is sent again', async () => {
      const id = await makeLink('one');
      for (const number of [1, 1, 2]) await bench.store.clicks.add({ process: 'one', number, clicks: [click(id)] });
      expect(await bench.store.clicks.count()).toEqual({ clicks: 2, dropped: 0 });
    });

    it('are counted once, also if several processes store and count them at the same time', async () => {
      const id = await makeLink('busy');
      const stores = [bench.store, await bench.database.open(), await bench.database.open()];
      await Promise.all(
        stores.map(async (store) => {
          for (let round = 0; round < 10; round += 1) {
            await addClicks(store, clicksOn(id, DAY, round, 7));
            await store.clicks.count();
          }
        }),
      );
      for (const store of stores.slice(1)) await store.close();
      expect(await countsOn(id)).toMatchObject({ clicks: 210 });
      expect(await bench.store.links.find(FIRST_ACCOUNT, 'busy')).toMatchObject({ clicks: 210 });
      const hours = await bench.store.clicks.accountHours(FIRST_ACCOUNT, DAY * 24, DAY * 24 + 23);
      expect(hours.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(210);
    });

    it('are counted once if counting is stopped in the middle of a part', async () => {
      const id = await makeLink('one');
      for (let batch = 0; batch < 12; batch += 1) await add(clicksOn(id, DAY, 1, 50));
      const database = await bench.database.connect();
      const stopping = new AbortController();
      const stopped = clickStore({
        ...database,
        // Stops after the transactions that start the part and count its first clicks.
        async clickTransaction(work) {
          const result = await database.clickTransaction(work);
          if ((await countsOn(id)).clicks > 0) stopping.abort();
          return result;
        },
      });
      await expect(stopped.count(stopping.signal)).rejects.toThrow('aborted');
      expect(await countsOn(id)).toMatchObject({ clicks: 300 });
      await bench.store.clicks.count();
      expect(await countsOn(id)).toMatchObject({ clicks: 600 });
      await database.close();
    });

    it('are counted once, after whichever transaction of a count the process is killed', async () => {
      const [one, two] = [await makeLink('one'), await makeLink('two')];
      const clicksOnBoth = (hour: number, times: number) => [two, one].flatMap((id) => clicksOn(id, DAY, hour, times));
      const database = await bench.database.connect();
      let stored = 0;
      for (let survived = 0, isKilled = true; isKilled; survived += 1) {
        isKilled = false;
        let left = survived;
        const killed = clickStore({
          ...database,
          clickTransaction(work) {
            isKilled = left === 0;
            left -= 1;
            return isKilled ? Promise.reject(new Error('killed')) : database.clickTransaction(work);
          },
        });
        for (let batch = 0; batch < 11; batch += 1) await add(clicksOnBoth(1, 25));
        await killed.count().catch(() => null);
        await add(clicksOnBoth(2, 300));
        await bench.store.clicks.count();
        stored += 575;
        for (const id of [one, two]) expect(await countsOn(id), `${survived}`).toMatchObject({ clicks: stored });
        expect(await bench.store.clicks.waiting()).toBe(0);
      }
      await database.close();
    });

    it('of an account add up by hour, without other accounts and deleted links', async () => {
      const { links, accounts, clicks } = bench.store;
      const other = (await accounts.create('other', NOON)).id;
      const [one, two] = [await makeLink('one'), await makeLink('two')];
      const [gone, others] = [await makeLink('gone'), await makeLink('others', other)];
      await links.remove(FIRST_ACCOUNT, ['gone'], NOON);
      await count([one, two, gone, others].flatMap((id) => clicksOn(id, DAY, 12, 2)));
      await count([click(one, { at: startOf(DAY, 12), bot: true })]);
      await count([...clicksOn(one, DAY + 1, 13, 2), ...clicksOn(two, DAY, 14, 2), ...clicksOn(one, DAY, 12, 2)]);
      const first = DAY * 24;
      expect(await clicks.accountHours(FIRST_ACCOUNT, first, first + 47)).toEqual([
        { hour: first + 12, clicks: 6 },
        { hour: first + 14, clicks: 2 },
        { hour: first + 37, clicks: 2 },
      ]);
      expect(await clicks.accountHours(FIRST_ACCOUNT, first + 13, first + 36)).toMatchObject([{ hour: first + 14 }]);
      expect(await clicks.accountHours(other, first, first + 47)).toEqual([{ hour: first + 12, clicks: 2 }]);
      expect(await countsOn(gone)).toMatchObject({ clicks: 2 });
    });

    it('on an unknown link are dropped and reported, and do not stop the others', async () => {
      const id = await makeLink('known');
      await add([click(id), click(999), click(id), click(998)]);
      expect(await bench.store.clicks.count()).toEqual({ clicks: 4, dropped: 2 });
      expect(await countsOn(id)).toMatchObject({ clicks: 2 });
      expect(await countsOn(999)).toMatchObject({ clicks: 0 });
    });

    it('are read for the requested days, in order, without empty days', async () => {
      const [one, two] = [await makeLink('one'), await makeLink('two')];
      for (const day of [DAY + 2, DAY, DAY - 1, DAY + 5]) await count(clicksOn(one, day, 1, 1));
      await count(clicksOn(two, DAY + 1, 1, 1));
      expect((await bench.store.clicks.days(one, DAY, DAY + 4)).map(({ day }) => day)).toEqual([DAY, DAY + 2]);
    });

    it('store hostile names as plain text', async () => {
      const id = await makeLink('one');
      const names = ["'; DROP TABLE links; --", '__proto__', '<script>alert(1)</script>', '\u202e\\u0000"', ''];
      await count(names.map((referrer) => click(id, { referrer })));
      await count(names.map((referrer) => click(id, { referrer })));
      const [only] = await bench.store.clicks.days(id, DAY, DAY);
      expect(only?.counts.names.referrers).toEqual(new Map(names.map((name) => [name, 2])));
    });
  });

  describe('visitors', () => {
    it('are distinguished by link and day', async () => {
      const [one, two] = [await makeLink('one'), await makeLink('two')];
      await bench.store.clicks.salt(DAY, SALT);
      await bench.store.clicks.salt(DAY + 1, SALT);
      const visits = [click(one), click(two), click(one, { at: startOf(DAY + 1) })];
      const visitors = visits.map((visit) => ({ ...visit, visitor: MAX_VISITOR }));
      await count(visitors);
      await count(visitors);
      expect(await countsOn(one, DAY, DAY)).toMatchObject({ visitors: 1 });
      expect(await countsOn(one, DAY + 1, DAY + 1)).toMatchObject({ visitors: 1 });
      expect(await countsOn(two)).toMatchObject({ visitors: 1 });
    });

    it('have one salt per day for all processes', async () => {
      const other = await bench.database.open();
      const [one, two] = await Promise.all([
        bench.store.clicks.salt(DAY, SALT),
        other.clicks.salt(DAY, new Uint8Array(16).fill(2)),
      ]);
      expect(Buffer.compare(one, two)).toBe(0);
      const third = await other.clicks.salt(DAY, new Uint8Array(16).fill(3));
      expect(Buffer.compare(one, third)).toBe(0);
      expect(Buffer.compare(one, await other.clicks.salt(DAY + 1, new Uint8Array(16).fill(4)))).not.toBe(0);
      await other.close();
    });

    it('of the last clicks of a day are counted before they are deleted, also if another process counts them', async () => {
      const id = await makeLink('one');
      const other = await bench.database.open();
      await bench.store.clicks.salt(DAY, SALT);
      await add(Array.from({ length: 3000 }, (_, visitor) => click(id, { visitor })));
      const counting = other.clicks.count();
      await bench.store.clicks.count();
      await bench.store.clicks.forgetVisitors(DAY + 1);
      await counting;
      await other.close();
      expect(await countsOn(id)).toMatchObject({ clicks: 3000, visitors: 3000 });
    });

    it('are not stored after their day, even if a count has read them before they were deleted', async () => {
      const id = await makeLink('one');
      await bench.store.clicks.salt(DAY, SALT);
      await bench.store.clicks.forgetVisitors(DAY + 1);
      await count([click(id, { visitor: 1 }), click(id, { visitor: 2 })]);
      expect(await countsOn(id)).toMatchObject({ clicks: 2, visitors: 0 });
    });

    it('are deleted after their day, like salts and those of waiting clicks, but their number is kept', async () => {
      const id = await makeLink('one');
      for (const day of [DAY, DAY + 1, DAY + 2, DAY + 3]) await bench.store.clicks.salt(day, SALT);
      const visits = (day: number) =>
        Array.from({ length: 1500 }, (_, visitor) => click(id, { at: startOf(day, 3), visitor }));
      await count([...visits(DAY), ...visits(DAY + 1)]);
      const late = [DAY, DAY + 1].map((day) => click(id, { at: startOf(day, 3), visitor: MAX_VISITOR }));
      await add([...visits(DAY), ...visits(DAY + 1), ...late]);
      await bench.store.clicks.forgetVisitors(DAY + 1);
      const fresh = new Uint8Array(16).fill(9);
      const salts = [0, 1, 2, 3].map(async (later) => Buffer.from(await bench.store.clicks.salt(DAY + later, fresh)));
      expect(await Promise.all(salts)).toEqual([fresh, SALT, SALT, fresh].map((salt) => Buffer.from(salt)));
      await bench.store.clicks.count();
      expect(await countsOn(id, DAY, DAY)).toMatchObject({ clicks: 3001, visitors: 1500 });
      expect(await countsOn(id, DAY + 1, DAY + 1)).toMatchObject({ clicks: 3001, visitors: 1501 });
    });
  });
}
