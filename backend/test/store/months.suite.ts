import { describe, expect, it } from 'vitest';
import { readClicks } from '../../src/clicks/read-analytics.ts';
import { dayOf, startOf } from '../../src/domain/analytics/calendar.ts';
import { firstDayOf, monthOf, sumDay, type WaitingClick } from '../../src/domain/analytics/day-counts.ts';
import { mergeOldDays } from '../../src/maintenance/maintenance.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { addAndCount, click, clicksOn, countsOf } from '../support/clicks.ts';
import { link, NOON } from '../support/store.ts';
import type { Bench } from './suite.ts';

const TODAY = dayOf(NOON);
const MAY = monthOf(TODAY) - 2;
const JUNE = MAY + 1;

export function monthsSuite(bench: Bench): void {
  const count = (clicks: WaitingClick[]) => addAndCount(bench.store, clicks);
  const read = (linkId: number, from: number, to: number) => readClicks(bench.store, linkId, { from, to });
  const clicksOf = ({ days }: Awaited<ReturnType<typeof read>>) =>
    days.map(({ counts }) => sumDay(counts).clicks).reduce((sum, clicks) => sum + clicks, 0);
  const makeLink = async (code: string) => (await bench.store.links.create(FIRST_ACCOUNT, link([code]), NOON))?.id ?? 0;

  describe('old counts', () => {
    it('are rolled up by link and month, and nothing is lost', async () => {
      const [one, other] = [await makeLink('one'), await makeLink('other')];
      // Every fifth day from the first of May. Some days in June and July are too recent to be rolled up.
      const days = Array.from({ length: 13 }, (_, at) => firstDayOf(MAY) + 5 * at);
      for (const day of days) await count([...clicksOn(one, day, 7, 2), ...clicksOn(other, day, 8, 3)]);
      expect(await read(one, firstDayOf(MAY), TODAY)).toMatchObject({ by: 'day' });

      for (const before of [JUNE, JUNE]) await bench.store.months.rollUp(before);
      const kept = await read(one, firstDayOf(MAY) + 3, TODAY);
      expect(kept).toMatchObject({ by: 'month', range: { from: firstDayOf(MAY), to: TODAY } });
      expect(clicksOf(kept)).toBe(2 * days.length);
      const inMay = days.filter((day) => monthOf(day) === MAY).length;
      const may = await read(other, firstDayOf(MAY) + 3, firstDayOf(MAY) + 4);
      expect(may).toMatchObject({ by: 'month', range: { from: firstDayOf(MAY), to: firstDayOf(JUNE) - 1 } });
      expect(clicksOf(may)).toBe(3 * inMay);
      expect(await bench.store.clicks.days(other, 0, firstDayOf(JUNE) - 1)).toMatchObject([{ day: firstDayOf(MAY) }]);
      expect(await read(one, firstDayOf(JUNE), TODAY)).toMatchObject({ by: 'day' });
      expect(clicksOf(await read(one, firstDayOf(JUNE), TODAY))).toBe(2 * (days.length - inMay));
    });

    it('include names, visitors and bots', async () => {
      const id = await makeLink('named');
      for (const day of [0, 1, 2].map((at) => firstDayOf(MAY) + at)) {
        await bench.store.clicks.salt(day, new Uint8Array(16));
        const more = { at: startOf(day, 5), referrer: 'a.example', visitor: 1 };
        await count([click(id, more), click(id, more), click(id, { ...more, bot: true })]);
      }
      await bench.store.months.rollUp(JUNE);
      const [month] = (await read(id, firstDayOf(MAY), firstDayOf(MAY))).days;
      expect(month?.counts.hours).toEqual(new Map([[0, { clicks: 6, visitors: 3, bots: 3 }]]));
      expect(month?.counts.names.referrers).toEqual(new Map([['a.example', 6]]));
    });

    it('are correct if the service stops during the roll-up, and with late clicks', async () => {
      const ids = await Promise.all(Array.from({ length: 30 }, (_, at) => makeLink(`halfway-${at}`)));
      const days = Array.from({ length: 31 }, (_, at) => firstDayOf(MAY) + at);
      await count(ids.flatMap((id) => days.flatMap((day) => clicksOn(id, day, 1, 1))));
      const expectAll = async (each: number) => {
        for (const id of ids) expect(clicksOf(await read(id, firstDayOf(MAY), TODAY))).toBe(each);
      };
      const stops = [false, true];
      await bench.store.months.rollUp(JUNE, () => stops.shift() ?? true);
      await expectAll(31);
      await bench.store.months.rollUp(JUNE);
      await expectAll(31);
      for (const id of ids) expect(await bench.store.clicks.days(id, 0, TODAY)).toHaveLength(1);
      await count(ids.flatMap((id) => clicksOn(id, firstDayOf(MAY) + 1, 1, 5)));
      await expectAll(36);
    });

    it('are rolled up once, even by several processes at the same time', async () => {
      const id = await makeLink('crowded');
      for (let at = 0; at < 20; at += 1) await count(clicksOn(id, firstDayOf(MAY) + at, 1, 1));
      const other = await bench.database.open();
      await Promise.all([bench.store, other, bench.store].map((store) => store.months.rollUp(JUNE)));
      await other.close();
      expect(clicksOf(await read(id, firstDayOf(MAY), TODAY))).toBe(20);
    });

    it('stay rolled up if the storage period is extended later, and are not searched again', async () => {
      const { months } = bench.store;
      expect(await months.rolledUpBefore()).toBeNull();
      await months.rollUp(JUNE);
      for (const before of [MAY, JUNE]) await months.rollUp(before, () => expect.unreachable('searched again'));
      expect(await months.rolledUpBefore()).toBe(JUNE);
    });

    it('are rolled up by the database’s clock, regardless of the process’s clock', async () => {
      expect(await bench.store.months.now()).toBe(bench.clock.now);
      await mergeOldDays(bench.store, 1);
      expect(await bench.store.months.rolledUpBefore()).toBe(monthOf(TODAY) - 1);
    });

    it('stay unchanged while the database’s clock cannot be read', async () => {
      const months = { ...bench.store.months, now: () => Promise.reject(new Error('away')) };
      await expect(mergeOldDays({ ...bench.store, months }, 1)).rejects.toThrow('away');
      expect(await bench.store.months.rolledUpBefore()).toBeNull();
    });

    it('are deleted with their account', async () => {
      const { id: account } = await bench.store.accounts.create('guest', NOON);
      const made = await bench.store.links.create(account, link(['theirs']), NOON);
      const id = made?.id ?? 0;
      await count(clicksOn(id, firstDayOf(MAY), 1, 5));
      await bench.store.months.rollUp(JUNE);
      await bench.store.accounts.remove({ accountId: account, verified: null, now: NOON });
      while (await bench.store.accounts.clear(10, NOON));
      expect(await countsOf(bench.store, id)).toMatchObject({ clicks: 0 });
    });
  });
}
