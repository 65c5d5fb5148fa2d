import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayOf, hourOf, startOf } from '../../src/domain/analytics/calendar.ts';
import {
  type Aggregate,
  addDay,
  copyDay,
  type DayCounts,
  emptyDay,
  hourIn,
  sumDay,
} from '../../src/domain/analytics/daily-counts.ts';
import { readDay, writeDay } from '../../src/domain/analytics/daily-counts-encoding.ts';
import {
  type Click,
  createAggregator,
  makeColumns,
  orderOf,
  type Source,
} from '../../src/domain/analytics/sum-clicks-per-day.ts';
import { addCount, MAX_STORED_NAMES } from '../../src/domain/analytics/top-values.ts';
import { classifyUserAgent, referrerHost, referrerOrigin } from '../../src/domain/analytics/user-agent-and-referrer.ts';
import { NOON } from '../support/store.ts';

const HOUR = 3_600_000;
const AGENTS = [
  { bot: false, browser: 'Firefox', system: 'Linux', device: 'desktop' },
  { bot: false, browser: 'Firefox', system: 'Android', device: 'mobile' },
  { bot: true, browser: 'other', system: 'other', device: 'other' },
];
const SOURCES: Source[] = AGENTS.flatMap((agent) =>
  ['', 'a.example', 'b.example', '__proto__'].flatMap((referrer) =>
    ['', 'NZ'].map((country) => ({ agent, referrer, country })),
  ),
);
const CLICK = fc.record({
  link: fc.integer({ min: 1, max: 3 }),
  instant: fc.integer({ min: NOON - 40 * HOUR, max: NOON + 40 * HOUR }),
  visitor: fc.integer({ min: 0, max: 5 }),
  // Some source objects are equal but not identical. They must be counted as one source.
  source: fc.constantFrom(...SOURCES, ...SOURCES.map((source) => ({ ...source }))),
});
const clicks: fc.Arbitrary<Click[]> = fc.array(CLICK);

describe('the order of clicks', () => {
  const DAY = fc.constantFrom(20_000, 20_001);
  const LINK = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(2 ** 33 - 1, 2 ** 33, 2 ** 52));

  it('is by day, then by link, then by arrival, with every sorting algorithm', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.constant(fc.constant(20_000)), fc.constant(DAY)).chain((day) => fc.array(fc.tuple(day, LINK))),
        (clicks) => {
          const columns = makeColumns(clicks.length + 3);
          for (const [index, [day, link]] of clicks.entries()) {
            columns.days[index] = day;
            columns.links[index] = link;
          }
          const indexes = clicks.map((_, index) => index);
          const [days, links] = [clicks.map(([day]) => day), clicks.map(([, link]) => link)];
          const order = indexes.toSorted(
            (a, b) => (days[a] ?? 0) - (days[b] ?? 0) || (links[a] ?? 0) - (links[b] ?? 0),
          );
          expect([...orderOf(columns, clicks.length)]).toEqual(order);
        },
      ),
    );
  });
});

describe('aggregates', () => {
  it('do not include clicks from before they were cleared', () => {
    fc.assert(
      fc.property(clicks, clicks, (before, all) => {
        const [fresh, used] = [createAggregator(), createAggregator()];
        for (const click of before) used.add(click);
        for (const _ of used.inOrder());
        used.clear();
        for (const click of all) {
          fresh.add(click);
          used.add(click);
        }
        expect([...used.inOrder()]).toEqual([...fresh.inOrder()]);
      }),
    );
  });

  it('equal the counts of single clicks if no clicks have a link or source in common', () => {
    const all = fc.sample(CLICK, { numRuns: 200, seed: 1 }).map((click, link) => ({ ...click, link }));
    const aggregator = createAggregator();
    for (const click of all) aggregator.add(click);
    const alone = all.map((click) => {
      const own = createAggregator();
      own.add(click);
      return [...own.inOrder()];
    });
    const byLink = (one: { link: number }, other: { link: number }) => one.link - other.link;
    expect([...aggregator.inOrder()].sort(byLink)).toEqual(alone.flat().sort(byLink));
  });
  it('equal a count of the clicks one by one', () => {
    fc.assert(
      fc.property(clicks, (all) => {
        const aggregates = createAggregator();
        for (const click of all) aggregates.add(click);
        for (const { link, day, counts, visitors } of [...aggregates.inOrder()]) {
          const own = all.filter((click) => click.link === link && dayOf(click.instant) === day);
          const people = own.filter(({ source }) => !source.agent.bot);
          const by = (nameOf: (click: Click) => string) =>
            Object.entries(Object.groupBy(people, nameOf)).map(([name, some]) => [name, some?.length]);
          expect(sumDay(counts)).toEqual({ clicks: people.length, bots: own.length - people.length, visitors: 0 });
          expect([...counts.names.referrers].toSorted()).toEqual(by(({ source }) => source.referrer).toSorted());
          expect([...counts.names.systems].toSorted()).toEqual(by(({ source }) => source.agent.system).toSorted());
          expect([...counts.names.countries].toSorted()).toEqual(by(({ source }) => source.country).toSorted());
          expect(visitors.size).toBe(new Set(people.map(({ visitor }) => visitor)).size);
          for (const [hour, { clicks }] of counts.hours) {
            expect(clicks).toBe(people.filter(({ instant }) => hourOf(instant) === hour).length);
          }
        }
        const sums = [...aggregates.inOrder()].map(({ counts }) => sumDay(counts));
        const counted = sums.reduce((sum, { clicks, bots }) => sum + clicks + bots, 0);
        expect(counted).toBe(all.length);
      }),
    );
  });

  it('of a link with many clicks are split, and the parts add up to the same counts', () => {
    fc.assert(
      fc.property(clicks, fc.integer({ min: 1, max: 4 }), (all, most) => {
        const aggregates = createAggregator();
        for (const click of all) aggregates.add(click);
        const sums = (some: Iterable<Aggregate>) => {
          const days = new Map<string, DayCounts>();
          for (const { link, day, counts } of some) {
            const { clicks, bots } = sumDay(counts);
            expect(clicks + bots).toBeLessThanOrEqual(some === whole ? all.length : most);
            days.set(`${link} ${day}`, addDay(days.get(`${link} ${day}`) ?? emptyDay(), counts));
          }
          return [...days];
        };
        const whole = [...aggregates.inOrder()];
        expect(sums(aggregates.inOrder(most))).toEqual(sums(whole));
        expect(aggregates.size).toBe(all.length);
      }),
    );
  });

  it('have an order that depends only on the clicks', () => {
    fc.assert(
      fc.property(clicks, (all) => {
        const order = (some: Click[]) => {
          const aggregates = createAggregator();
          for (const click of some) aggregates.add(click);
          return [...aggregates.inOrder()].map(({ link, day }) => [day, link]);
        };
        expect(order(all)).toEqual(order(all.toReversed()));
      }),
    );
  });
});

describe("a day's counts", () => {
  it('survive encoding and decoding, and add up', () => {
    fc.assert(
      fc.property(clicks, clicks, (one, two) => {
        const daysOf = (some: Click[]) => {
          const aggregates = createAggregator();
          for (const click of some) aggregates.add(click);
          return [...aggregates.inOrder()].map(({ counts }) => counts);
        };
        const sum: DayCounts = emptyDay();
        for (const day of [...daysOf(one), ...daysOf(two)]) {
          expect(readDay(writeDay(day))).toEqual(day);
          expect(copyDay(day)).toEqual(addDay(emptyDay(), day));
          addDay(sum, day);
        }
        expect(sumDay(sum).clicks + sumDay(sum).bots).toBe(one.length + two.length);
      }),
    );
  });
});

describe('a copy of a day’s counts', () => {
  it('has a maximum number of names, and does not change the original', () => {
    const day = emptyDay();
    hourIn(day, 12).clicks = 160;
    for (let index = 0; index < 160; index += 1) addCount(day.names.referrers, `host-${index}.example`, index + 1);
    const first = copyDay(day);
    expect(first).toEqual(addDay(emptyDay(), day));
    expect(first.names.referrers.size).toBe(MAX_STORED_NAMES + 1);
    hourIn(first, 12).visitors += 1;
    expect(hourIn(day, 12).visitors).toBe(0);
  });
});

describe('UTC days and hours', () => {
  it('are correct for every time, including before 1970', () => {
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
