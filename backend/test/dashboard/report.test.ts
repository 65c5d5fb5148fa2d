import { describe, expect, it } from 'vitest';
import { clicksChart } from '../../src/dashboard/parts/chart.ts';
import { firstDay, PERIODS, type Period, reportOf } from '../../src/dashboard/report.ts';
import { emptyDay, hourIn } from '../../src/domain/clicks/counts.ts';
import { dayOf } from '../../src/domain/clicks/days.ts';
import { NOON } from '../support/store.ts';

const TODAY = dayOf(NOON);

function day(at: number, hour: number, clicks: number) {
  const counts = emptyDay();
  Object.assign(hourIn(counts, hour), { clicks, visitors: 1, bots: 2 });
  counts.names.browsers.set('Firefox', clicks);
  return { day: at, counts };
}

describe('a report', () => {
  it.each(Object.keys(PERIODS) as Period[])('of a %s has every bar, the last of them now', (period) => {
    const { bars, sum } = reportOf([day(TODAY, 12, 3)], period, NOON);
    expect(bars).toHaveLength({ day: 24, week: 7, month: 30, quarter: 90, year: 52 }[period]);
    expect(bars.at(-1)).toMatchObject({ clicks: 3, visitors: 1, bots: 2 });
    expect(sum).toEqual({ clicks: 3, visitors: 1, bots: 2 });
    const steps = bars.slice(1).map(({ start }, at) => start - (bars[at]?.start ?? 0));
    expect(new Set(steps).size).toBe(1);
  });

  it('of 24 hours leaves out what came before them', () => {
    const { bars, sum } = reportOf([day(TODAY - 1, 12, 9), day(TODAY - 1, 13, 1)], 'day', NOON);
    expect(sum.clicks).toBe(1);
    expect(bars[0]).toMatchObject({ start: NOON - 23 * 3_600_000, clicks: 1 });
  });

  it('adds the days of a week up to one bar', () => {
    const first = firstDay('year', NOON);
    const { bars, names } = reportOf([day(first, 1, 2), day(first + 6, 1, 3), day(first + 7, 1, 4)], 'year', NOON);
    expect(bars.slice(0, 2).map(({ clicks }) => clicks)).toEqual([5, 4]);
    expect(names.browsers).toEqual([['Firefox', 9]]);
  });
});

describe('the chart', () => {
  it('draws every bar within its frame, in proportion', () => {
    const { bars } = reportOf(
      [day(TODAY, 1, 1_000_000), day(TODAY - 1, 1, 500_000), day(TODAY - 2, 1, 1)],
      'week',
      NOON,
    );
    const svg = String(clicksChart(bars, 'week'));
    const drawn = [...svg.matchAll(/class="chart-bar" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g)];
    const heights = drawn.map(([, , , , height]) => Number(height));
    expect(heights).toEqual([0, 0, 0, 0, 2, 100, 200]);
    for (const [, x, y, width, height] of drawn) {
      expect(Number(x) + Number(width)).toBeLessThanOrEqual(720);
      expect(Number(y) + Number(height)).toBe(200);
    }
  });

  it('says in words and in a table what it shows', () => {
    const { bars } = reportOf([day(TODAY, 1, 1)], 'week', NOON);
    const svg = String(clicksChart(bars, 'week'));
    expect(svg).toContain('<title id="chart-title">Clicks by day, 7 days</title>');
    expect(svg).toContain('1 Jul 2026: 1 click<');
    expect(svg).toContain('<th scope="row">1 Jul 2026</th><td>1</td><td>1</td><td>2</td>');
  });
});
