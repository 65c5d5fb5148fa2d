import { describe, expect, it } from 'vitest';
import { clickChart } from '../../src/dashboard/components/click-chart.ts';
import { dateFormatsFor } from '../../src/dashboard/components/dates-and-numbers.ts';
import {
  chooseRange,
  type DateRange,
  linkClicks,
  PERIODS,
  type Period,
} from '../../src/dashboard/links/link-clicks.ts';
import { dayOf } from '../../src/domain/analytics/calendar.ts';
import { emptyDay, hourIn } from '../../src/domain/analytics/day-counts.ts';
import type { ClickDay } from '../../src/store/sql/click-queries.ts';
import { NOON } from '../support/store.ts';

const TODAY = dayOf(NOON);
/** Returns the range for a query that names valid days or a period. */
const rangeOf = (query: Record<string, string>) => chooseRange(query, NOON).range as DateRange;
const WEEK = rangeOf({ period: 'week' });
const SHOWN = { now: NOON, times: dateFormatsFor('UTC') };

function day(at: number, hour: number, clicks: number) {
  const counts = emptyDay();
  Object.assign(hourIn(counts, hour), { clicks, visitors: 1, bots: 2 });
  counts.names.browsers.set('Firefox', clicks);
  return { day: at, counts };
}

const analyticsOf = (days: ClickDay[], range: DateRange) => linkClicks({ by: 'day', range: range.days, days }, range);

describe('the analytics', () => {
  it.each(Object.keys(PERIODS) as Period[])('of a %s have all bars, the last of them up to now', (period) => {
    const { bars, sum } = analyticsOf([day(TODAY, 12, 3)], rangeOf({ period }));
    expect(bars).toHaveLength({ day: 24, week: 7, month: 30, year: 52 }[period]);
    expect(bars.at(-1)).toMatchObject({ clicks: 3, visitors: 1, bots: 2 });
    expect(sum).toEqual({ clicks: 3, visitors: 1, bots: 2 });
    const steps = bars.slice(1).map(({ start }, at) => start - (bars[at]?.start ?? 0));
    expect(new Set(steps).size).toBe(1);
  });

  it('of 24 hours exclude earlier clicks', () => {
    const { bars, sum } = analyticsOf([day(TODAY - 1, 12, 9), day(TODAY - 1, 13, 1)], rangeOf({ period: 'day' }));
    expect(sum.clicks).toBe(1);
    expect(bars[0]).toMatchObject({ start: NOON - 23 * 3_600_000, clicks: 1 });
  });

  it('add up the days of a week in one bar', () => {
    const year = rangeOf({ period: 'year' });
    const { from: first } = year.days;
    const { bars, names } = analyticsOf([day(first, 1, 2), day(first + 6, 1, 3), day(first + 7, 1, 4)], year);
    expect(bars.slice(0, 2).map(({ clicks }) => clicks)).toEqual([5, 4]);
    expect(names.browsers).toEqual([['Firefox', 9]]);
  });
});

describe('a custom range', () => {
  it.each([
    ['2026-06-30', '2026-06-30', 24, 'hour', '30 Jun 2026'],
    ['2026-06-30', '2026-07-01', 2, 'day', '30 Jun – 1 Jul 2026'],
    ['2026-04-01', '2026-07-01', 92, 'day', '1 Apr – 1 Jul 2026'],
    ['2026-03-31', '2026-07-01', 14, 'week', '31 Mar – 1 Jul 2026'],
    ['2024-01-01', '2024-12-31', 53, 'week', '1 Jan – 31 Dec 2024'],
    ['2025-07-01', '2026-07-01', 53, 'week', '1 Jul 2025 – 1 Jul 2026'],
    ['2026-07-01', '2026-07-31', 31, 'day', '1 – 31 Jul 2026'],
  ])('%s to %s has %i bars, one for each %s', (from, to, count, unit, label) => {
    const range = rangeOf({ from, to });
    expect(range).toMatchObject({ unit, period: null });
    expect(range.label.replace(/\u2009/g, ' ')).toBe(label);
    const ends = [day(range.days.from, 0, 1), day(range.days.to, 23, 2)];
    const { bars, sum } = analyticsOf(from === to ? [day(range.days.from, 23, 3)] : ends, range);
    expect(bars).toHaveLength(count);
    expect([bars[0]?.start, sum.clicks]).toEqual([Date.parse(from), 3]);
    expect(bars.at(-1)?.clicks).toBeGreaterThan(0);
  });

  it.each([
    [{ from: '', to: '' }, ['from', 'to'], /Enter a date/],
    [{ from: '2026-07-01', to: '' }, ['to'], /Enter a date/],
    [{ from: '2026-02-30', to: '2026-07-01' }, ['from'], /Enter a date/],
    [{ from: '1/7/2026', to: '2026-07-01T00:00' }, ['from', 'to'], /Enter a date/],
    [{ from: '-271821-04-20', to: '+275760-09-13' }, ['from', 'to'], /Enter a date/],
    [{ from: '2026-07-01', to: '2026-06-30' }, ['to'], /before the first/],
    [{ from: '2025-06-30', to: '2026-07-01' }, ['to'], /at most 366 days/],
    [{ from: '0001-01-01', to: '9999-12-31' }, ['to'], /at most 366 days/],
    [{ from: '2026-07-02', to: '2026-07-03' }, ['to'], /in the future/],
  ])('is refused if it is %j', (asked, fields, sentence) => {
    const { range, problems } = chooseRange(asked, NOON);
    expect(range).toBeNull();
    expect(Object.keys(problems ?? {})).toEqual(fields);
    for (const problem of Object.values(problems ?? {})) expect(problem).toMatch(sentence);
  });
});

describe('the chart', () => {
  it('keeps labels apart and within its frame for every length', () => {
    for (let count = 1; count <= 366; count += 1) {
      const to = new Date(NOON - (count - 1) * 86_400_000).toISOString().slice(0, 10);
      const range = rangeOf({ from: to, to: '2026-07-01' });
      const { bars } = analyticsOf([day(TODAY, 23, 7)], range);
      const svg = String(clickChart(bars, { ...range, ...SHOWN }));
      const words = [...svg.matchAll(/class="chart-text" x="([\d.]+)%" y="217" text-anchor="middle"/g)];
      expect(words.length, `${count} days`).toBeGreaterThan(0);
      // On a phone, the chart is 266 pixels wide and a label is at most 36 pixels wide.
      const [width, half] = [(36 / 266) * 100, (18 / 266) * 100];
      const middles = words.map(([, x]) => Number(x));
      for (const [at, middle] of middles.entries()) {
        expect(middle - half, `${count} days`).toBeGreaterThanOrEqual(0);
        expect(middle + half, `${count} days`).toBeLessThanOrEqual(100);
        if (at > 0) expect(middle - (middles[at - 1] ?? 0), `${count} days`).toBeGreaterThanOrEqual(width);
      }
      for (const [, x, width] of svg.matchAll(/class="chart-bar" x="([\d.]+)%" y="[\d.]+" width="([\d.]+)%"/g)) {
        expect(Number(width)).toBeLessThanOrEqual(10);
        expect(Number(x) + Number(width)).toBeLessThanOrEqual(100);
      }
    }
  });

  it('draws every bar within its frame and in proportion', () => {
    const { bars } = analyticsOf([day(TODAY, 1, 1_000_000), day(TODAY - 1, 1, 500_000), day(TODAY - 2, 1, 1)], WEEK);
    const svg = String(clickChart(bars, { ...WEEK, ...SHOWN }));
    const drawn = [
      ...svg.matchAll(/class="chart-bar" x="([\d.]+)%" y="([\d.]+)" width="([\d.]+)%" height="([\d.]+)"/g),
    ];
    const heights = drawn.map(([, , , , height]) => Number(height));
    expect(heights).toEqual([0, 0, 0, 0, 2, 100, 200]);
    for (const [, x, y, width, height] of drawn) {
      expect(Number(x) + Number(width)).toBeLessThanOrEqual(100);
      expect(Number(y) + Number(height)).toBe(200);
    }
  });

  it('has a description and a table with the same data', () => {
    const { bars } = analyticsOf([day(TODAY, 1, 1)], WEEK);
    const svg = String(clickChart(bars, { ...WEEK, ...SHOWN }));
    expect(svg).toContain('<title id="chart-title">Clicks by day, 7 days</title>');
    expect(svg).toContain('30 Jun 2026: 0 clicks, 0 visitors, 0 bots<');
    expect(svg).toContain('1 Jul 2026, so far: 1 click, 1 visitor, 2 bots<');
    expect(svg).toContain('<th scope="row">1 Jul 2026, so far</th><td>1</td><td>1</td><td>2</td>');
  });

  it.each([
    ['hour', NOON, NOON - 3_600_000],
    ['day', Date.UTC(2026, 6, 1), Date.UTC(2026, 5, 30)],
    ['week', NOON - 6 * 86_400_000, NOON - 7 * 86_400_000],
    ['month', Date.UTC(2026, 6), Date.UTC(2026, 5)],
  ] as const)('marks the bar of the current %s, which is not over', (unit, running, over) => {
    const svg = String(
      clickChart(
        [
          { start: over, clicks: 1 },
          { start: running, clicks: 2 },
        ],
        { unit, label: '', ...SHOWN },
      ),
    );
    expect(svg.match(/so far: \d clicks?</g)).toEqual(['so far: 2 clicks<']);
    expect(svg).not.toContain('visitor');
  });
});
