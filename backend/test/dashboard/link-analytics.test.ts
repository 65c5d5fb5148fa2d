import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clickChart } from '../../src/dashboard/components/click-chart.ts';
import { dateFormatsFor } from '../../src/dashboard/components/dates-and-numbers.ts';
import { PERIODS, type Period, rangeOf, readLinkClicks } from '../../src/dashboard/links/link-clicks.ts';
import { dayOf, emptyDay, hourIn, startOf } from '../../src/domain/analytics/day-counts.ts';
import type { ClickDay } from '../../src/store/sql/click-queries.ts';
import { NOON } from '../support/store.ts';

const TODAY = dayOf(NOON);
const WEEK = rangeOf('week', NOON);
const SHOWN = { times: dateFormatsFor('UTC') };

function day(at: number, hour: number, clicks: number) {
  const counts = emptyDay();
  Object.assign(hourIn(counts, hour), { clicks, visitors: 1, bots: 2 });
  counts.names.browsers.set('Firefox', clicks);
  return { day: at, counts };
}

const analyticsOf = (days: ClickDay[], range: ReturnType<typeof rangeOf>) =>
  readLinkClicks({ clicks: { days: async () => days } }, 1, range);

describe('the analytics', () => {
  it.each(Object.keys(PERIODS) as Period[])('of a %s have all bars, the last of them up to now', async (period) => {
    const { bars, sum } = await analyticsOf([day(TODAY, 12, 3)], rangeOf(period, NOON));
    expect(bars).toHaveLength({ day: 24, week: 7, month: 30, year: 12 }[period]);
    expect(bars.at(-1)).toMatchObject({ clicks: 3, visitors: 1, bots: 2 });
    expect(sum).toEqual({ clicks: 3, visitors: 1, bots: 2 });
    expect(new Set(bars.map(({ start }) => start)).size).toBe(bars.length);
  });

  it('of 24 hours exclude earlier clicks', async () => {
    const { bars, sum } = await analyticsOf([day(TODAY - 1, 12, 9), day(TODAY - 1, 13, 1)], rangeOf('day', NOON));
    expect(sum.clicks).toBe(1);
    expect(bars[0]).toMatchObject({ start: NOON - 23 * 3_600_000, clicks: 1 });
  });

  it('add up the days of a month in one bar', async () => {
    const year = rangeOf('year', NOON);
    const { from: first } = year.days;
    const { bars, names } = await analyticsOf([day(first, 1, 2), day(first + 30, 1, 3), day(first + 31, 1, 4)], year);
    expect(bars.slice(0, 2).map(({ clicks }) => clicks)).toEqual([5, 4]);
    expect(names.browsers).toEqual([['Firefox', 9]]);
  });
});

describe('the chart', () => {
  it('keeps labels apart and within its frame for every length', () => {
    for (let count = 1; count <= 60; count += 1) {
      const bars = Array.from({ length: count }, (_, at) => ({ start: startOf(TODAY - count + 1 + at), clicks: at }));
      const svg = String(clickChart(bars, { unit: 'day', label: '', ...SHOWN }));
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

  it('draws every bar within its frame and in proportion', async () => {
    const { bars } = await analyticsOf(
      [day(TODAY, 1, 1_000_000), day(TODAY - 1, 1, 500_000), day(TODAY - 2, 1, 1)],
      WEEK,
    );
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

  it('has a description and a table with the same data', async () => {
    const { bars } = await analyticsOf([day(TODAY, 1, 1)], WEEK);
    const svg = String(clickChart(bars, { ...WEEK, ...SHOWN }));
    expect(svg).toContain('<title id="chart-title">Clicks by day, 7 days</title>');
    expect(svg).toContain('30 Jun 2026: 0 clicks, 0 visitors, 0 bots<');
    expect(svg).toContain('1 Jul 2026, so far: 1 click, 1 visitor, 2 bots<');
    expect(svg).toContain('<th scope="row">1 Jul 2026, so far</th><td>1</td><td>1</td><td>2</td>');
  });
});

const ZONES = [...Intl.supportedValuesOf('timeZone'), 'UTC', '+05:30'];
const minutes = fc.integer({ min: 0, max: 60_000_000 }).map((minute) => minute * 60_000);

describe('a time', () => {
  it('round-trips in every time zone, except in the second of two repeated hours', () => {
    fc.assert(
      fc.property(minutes, fc.constantFrom(...ZONES), (instant, zone) => {
        const { fieldValue, read } = dateFormatsFor(zone);
        const again = read(fieldValue(instant)) as number;
        // When clocks are set back, local times repeat, and the form uses the first of the two. Usually one hour
        // repeats. At the date line, a whole day repeats.
        expect(again).toBeLessThanOrEqual(instant);
        expect(again).toBeGreaterThanOrEqual(instant - 86_400_000);
        expect(fieldValue(again)).toBe(fieldValue(instant));
      }),
    );
  });

  it('in a skipped hour moves an hour later, and in a repeated hour the first is used', () => {
    const { read } = dateFormatsFor('Europe/Berlin');
    expect(read('2026-03-29T02:30')).toBe(Date.parse('2026-03-29T01:30Z'));
    expect(read('2026-10-25T02:30')).toBe(Date.parse('2026-10-25T00:30Z'));
  });

  it.each(['soon', '2026-02-30T00:00', '2026-07-01', '2026-07-01T24:00', '2026-07-01T12:00Z', '10000-01-01T00:00'])(
    '%j is invalid',
    (text) => {
      expect(dateFormatsFor('Europe/Berlin').read(text)).toBe('invalid');
    },
  );

  it('is null if the field is empty', () => {
    expect([
      dateFormatsFor('UTC').read(''),
      dateFormatsFor('UTC').read(' '),
      dateFormatsFor('UTC').fieldValue(null),
    ]).toEqual([null, null, '']);
  });

  it('is shown with its time zone', () => {
    const noon = Date.parse('2026-07-01T12:00Z');
    expect(dateFormatsFor('UTC').minuteText(noon)).toBe('1 Jul 2026, 12:00 UTC');
    expect(dateFormatsFor('Asia/Kolkata').minuteText(noon)).toBe('1 Jul 2026, 17:30 GMT+5:30');
    expect(String(dateFormatsFor('Europe/Berlin').minute(noon))).toBe(
      '<time datetime="2026-07-01T12:00:00.000Z">1 Jul 2026, 14:00 CEST</time>',
    );
  });

  it.each(['', 'Nowhere/At-All', '<b>', 'x'.repeat(10_000), '../UTC'])('in the unknown zone %j is in UTC', (zone) => {
    expect(dateFormatsFor(zone).zone).toBe('UTC');
  });
});
