import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addClicks,
  addCount,
  addDay,
  type DayCounts,
  dayOf,
  emptyDay,
  groupByLinkAndDay,
  hourIn,
  hourOf,
  MAX_STORED_NAMES,
  readDay,
  startOf,
  sumDay,
  visitorsOf,
  type WaitingClick,
  writeDay,
} from '../../src/domain/analytics/day-counts.ts';
import { classifyUserAgent, referrerHost, referrerOrigin } from '../../src/domain/analytics/user-agent-and-referrer.ts';
import { click } from '../support/clicks.ts';
import { NOON } from '../support/store.ts';

const HOUR = 3_600_000;
const CLICK: fc.Arbitrary<WaitingClick> = fc
  .record({
    link: fc.integer({ min: 1, max: 3 }),
    at: fc.integer({ min: NOON - 40 * HOUR, max: NOON + 40 * HOUR }),
    visitor: fc.option(fc.integer({ min: 0, max: 5 })),
    bot: fc.boolean(),
    system: fc.constantFrom('Linux', 'Android'),
    referrer: fc.constantFrom('', 'a.example', 'b.example', '__proto__'),
    country: fc.constantFrom('', 'NZ'),
  })
  .map((click) => ({ ...click, browser: 'Firefox', device: 'desktop' }));
const clicks = fc.array(CLICK);

const sumClicks = (all: WaitingClick[]) =>
  groupByLinkAndDay(all).map(({ link, day, clicks }) => {
    const counts = emptyDay();
    addClicks(counts, clicks);
    return { link, day, counts, visitors: visitorsOf(clicks) };
  });

it('sums of clicks equal a count of the clicks one by one', () => {
  fc.assert(
    fc.property(clicks, (all) => {
      const sums = sumClicks(all);
      for (const { link, day, counts, visitors } of sums) {
        const own = all.filter((click) => click.link === link && dayOf(click.at) === day);
        const people = own.filter(({ bot }) => !bot);
        const by = (nameOf: (click: WaitingClick) => string) =>
          Object.entries(Object.groupBy(people, nameOf)).map(([name, some]) => [name, some?.length]);
        expect(sumDay(counts)).toEqual({ clicks: people.length, bots: own.length - people.length, visitors: 0 });
        expect([...counts.names.referrers].toSorted()).toEqual(by(({ referrer }) => referrer).toSorted());
        expect([...counts.names.systems].toSorted()).toEqual(by(({ system }) => system).toSorted());
        expect([...counts.names.countries].toSorted()).toEqual(by(({ country }) => country).toSorted());
        const known = people.filter(({ visitor }) => visitor !== null);
        expect([...visitors.keys()].toSorted()).toEqual([...new Set(known.map(({ visitor }) => visitor))].toSorted());
        for (const [visitor, first] of visitors) {
          const hours = known.filter((click) => click.visitor === visitor).map(({ at }) => hourOf(at));
          expect(first).toBe(Math.min(...hours));
        }
        for (const [hour, { clicks }] of counts.hours) {
          expect(clicks).toBe(people.filter(({ at }) => hourOf(at) === hour).length);
        }
      }
      const counted = sums
        .map(({ counts }) => sumDay(counts))
        .reduce((sum, { clicks, bots }) => sum + clicks + bots, 0);
      expect(counted).toBe(all.length);
    }),
  );
});

describe("a day's counts", () => {
  it('survive encoding and decoding, and add up', () => {
    fc.assert(
      fc.property(clicks, clicks, (one, two) => {
        const sum: DayCounts = emptyDay();
        const days = [...sumClicks(one), ...sumClicks(two)].map(({ counts }) => counts);
        for (const day of days) {
          expect(readDay(writeDay(day))).toEqual(day);
          addDay(sum, day);
        }
        const { clicks, bots } = sumDay(sum);
        expect(clicks + bots).toBe(one.length + two.length);
      }),
    );
  });

  it('have a maximum number of names, and do not change the counts that were added', () => {
    const day = emptyDay();
    hourIn(day, 12).clicks = 160;
    for (let index = 0; index < 160; index += 1) addCount(day.names.referrers, `host-${index}.example`, index + 1);
    const sum = addDay(emptyDay(), day);
    expect(sum.names.referrers.size).toBe(MAX_STORED_NAMES + 1);
    expect(day.names.referrers.size).toBe(160);
    hourIn(sum, 12).visitors += 1;
    expect(hourIn(day, 12).visitors).toBe(0);
    const forged = Array.from({ length: 160 }, (_, index) => click(1, { referrer: `host-${index}.example` }));
    expect(addClicks(emptyDay(), forged).names.referrers.size).toBeLessThanOrEqual(MAX_STORED_NAMES + 1);
  });
});

it('UTC days and hours are correct for every time, including before 1970', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 4e12 }), (instant) => {
      const start = startOf(dayOf(instant), hourOf(instant));
      expect(instant - start).toBeGreaterThanOrEqual(0);
      expect(instant - start).toBeLessThan(HOUR);
      const date = new Date(instant);
      expect(hourOf(instant)).toBe(date.getUTCHours());
      expect(new Date(startOf(dayOf(instant))).toISOString().slice(0, 10)).toBe(date.toISOString().slice(0, 10));
    }),
  );
});

describe('a referrer', () => {
  it.each([
    ['', ''],
    ['https://www.News.example:8443/a?b#c', 'news.example'],
    ['http://user:pw@news.example./x', 'news.example'],
    ['https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
    ['http://[2001:DB8::1]:80/', '[2001:db8::1]'],
    ['http://127.1/', '127.0.0.1'],
    ['android-app://com.example.reader/', 'com.example.reader'],
    ['http://localhost/', 'other'],
    ['http://other/', 'other'],
    ['about:blank', 'other'],
    ['javascript:alert(1)//x.example/', 'other'],
    ['news.example', 'other'],
    ['https://<script>.example/', 'other'],
    [`https://${'a'.repeat(400)}.example/`, 'other'],
  ])('%j is shortened to %j', (header, host) => {
    expect(referrerHost(referrerOrigin(header))).toBe(host);
  });

  it('is shortened to its host, in any notation', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (header) => {
        const origin = referrerOrigin(header);
        expect(origin.length).toBeLessThanOrEqual(300);
        expect(referrerHost(origin)).toMatch(/^(|other|[a-z0-9_-]+(\.[a-z0-9_-]+)+|\[[0-9a-f:]+\])$/);
      }),
    );
  });
});

describe('a user agent', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Linux', 'desktop', false],
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
      'Chrome',
      'Android',
      'mobile',
      false,
    ],
    ['curl/8.12.1', 'other', 'other', 'other', true],
    ['', 'other', 'other', 'other', true],
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'other', 'other', 'other', true],
  ])('%j is classified', (text, browser, system, device, bot) => {
    const agent = classifyUserAgent(text);
    expect(agent.bot).toBe(bot);
    if (!bot) expect(agent).toEqual({ bot, browser, system, device });
  });

  it('is classified with names of limited length, for any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000 }), (text) => {
        const { browser, system, device } = classifyUserAgent(`Mozilla/5.0 ${text}`);
        for (const name of [browser, system, device]) expect(name).toMatch(/^.{1,40}$/s);
      }),
    );
  });
});
