import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyzeDays } from '../../src/clicks/read-analytics.ts';
import {
  addCount,
  addDay,
  addNames,
  type DayCounts,
  dayOf,
  emptyDay,
  hourIn,
  MAX_LISTED_NAMES,
  MAX_STORED_NAMES,
  type Names,
  OTHER,
  readDay,
  writeDay,
} from '../../src/domain/analytics/day-counts.ts';
import { NOON } from '../support/store.ts';

const DAY = dayOf(NOON);
const sumOf = (names: Names) => [...names.values()].reduce((sum, clicks) => sum + clicks, 0);
function exact(stream: string[]): Names {
  const names: Names = new Map();
  for (const name of stream) addCount(names, name, 1);
  return names;
}

function summaryOf(stream: string[]): Names {
  const summary: Names = new Map();
  addNames(summary, exact(stream));
  return summary;
}

/**
 * Name lists in random order with a skewed distribution: a few names are frequent, most are rare, and some are
 * `other`.
 */
const streams = fc
  .record({
    names: fc.integer({ min: 1, max: 400 }),
    clicks: fc.integer({ min: 0, max: 3000 }),
    skew: fc.double({ min: 0.3, max: 4, noNaN: true }),
    seed: fc.integer(),
  })
  .map(({ names, clicks, skew, seed }) => {
    let state = seed >>> 0;
    const random = () => {
      state = (state * 1_664_525 + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    return Array.from({ length: clicks }, () => {
      const rank = Math.floor(names * random() ** skew);
      return rank === 7 ? OTHER : `host-${rank}.example`;
    });
  });

/** Checks the error bound of the summary: each count is exact or too low by a limited number. */
function expectWithinBound(summary: Names, stream: string[]): void {
  const truth = exact(stream);
  const most = (stream.length - (truth.get(OTHER) ?? 0)) / (MAX_STORED_NAMES + 1);
  expect(sumOf(summary)).toBe(stream.length);
  expect(summary.size - Number(summary.has(OTHER))).toBeLessThanOrEqual(MAX_STORED_NAMES);
  for (const [name, clicks] of truth) {
    if (name === OTHER) continue;
    const counted = summary.get(name) ?? 0;
    expect(counted).toBeLessThanOrEqual(clicks);
    expect(clicks - counted).toBeLessThanOrEqual(most);
    if (clicks > most) expect(summary.has(name)).toBe(true);
  }
}

describe('a summary of names', () => {
  it('stays within its error bound, regardless of how the clicks are divided', () => {
    fc.assert(
      fc.property(streams, fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1 }), (stream, sizes) => {
        const summary: Names = new Map();
        for (let from = 0, at = 0; from < stream.length; at += 1) {
          const size = sizes[at % sizes.length] as number;
          addNames(summary, exact(stream.slice(from, from + size)));
          from += size;
        }
        expectWithinBound(summary, stream);
      }),
    );
  });

  it('stays within its error bound if summaries are merged in any order', () => {
    fc.assert(
      fc.property(streams, fc.integer({ min: 1, max: 8 }), fc.boolean(), (stream, parts, isTree) => {
        const size = Math.ceil(stream.length / parts) || 1;
        let summaries = Array.from({ length: parts }, (_, at) => summaryOf(stream.slice(at * size, (at + 1) * size)));
        while (summaries.length > 1) {
          const [one = new Map(), other = new Map(), ...rest] = summaries;
          addNames(one, other);
          summaries = isTree ? [...rest, one] : [one, ...rest];
        }
        expectWithinBound(summaries[0] ?? new Map(), stream);
      }),
    );
  });
});

describe('analytics of several days', () => {
  const stored = (day: number, names: [string, number][]) => {
    const counts: DayCounts = emptyDay();
    hourIn(counts, 3).clicks = names.reduce((sum, [, clicks]) => sum + clicks, 0);
    addDay(counts, { hours: new Map(), names: { ...emptyDay().names, referrers: new Map(names) } });
    return { day, counts: readDay(writeDay(counts)) };
  };

  it('add up all names of the days, and shorten the list once', () => {
    // Each day has fifty names that are more frequent than the one name that occurs every day.
    const days = Array.from({ length: 30 }, (_, at) =>
      stored(DAY - at, [
        ...Array.from({ length: MAX_LISTED_NAMES }, (_, index): [string, number] => [
          `once-${at}-${index}.example`,
          11,
        ]),
        ['daily.example', 10],
      ]),
    );
    const { names, sum } = analyzeDays(days, { from: DAY - 29, to: DAY }, 'day');
    expect(names.referrers[0]).toEqual([OTHER, sum.clicks - 300 - 49 * 11]);
    expect(names.referrers[1]).toEqual(['daily.example', 300]);
    expect(names.referrers).toHaveLength(MAX_LISTED_NAMES + 1);
    expect(names.referrers.reduce((all, [, clicks]) => all + clicks, 0)).toBe(sum.clicks);
  });

  it('equal the sum of each name', () => {
    const names = fc.dictionary(fc.constantFrom('', 'a', 'b', 'c', '__proto__', OTHER, 'ä'), fc.integer({ min: 1 }));
    fc.assert(
      fc.property(fc.array(names, { maxLength: 8 }), (all) => {
        const days = all.map((one, at) => stored(DAY + at, Object.entries(one)));
        const sums: Names = new Map();
        for (const one of all) for (const [name, clicks] of Object.entries(one)) addCount(sums, name, clicks);
        const { names } = analyzeDays(days, { from: DAY, to: DAY + 8 }, 'hour');
        expect(new Map(names.referrers)).toEqual(sums);
      }),
    );
  });
});

it('a stored day is JSON that the database can read', () => {
  const day = emptyDay();
  hourIn(day, 14).clicks = 3;
  addCount(day.names.referrers, 'news.example', 3);
  const none = { browsers: {}, systems: {}, devices: {}, countries: {} };
  expect(JSON.parse(writeDay(day))).toEqual({ hours: { 14: [3, 0, 0] }, referrers: { 'news.example': 3 }, ...none });
});
