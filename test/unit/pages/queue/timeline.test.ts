import { expect, test } from 'vitest';
import { timelineOf } from '../../../../src/pages/queue/timeline.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** An evening in the local time zone. */
const NOW = new Date(2026, 10, 20, 20).getTime();

test('a day at least is shown, its midnight named, and when more of the budget comes', () => {
  const { bars, days, moreX } = timelineOf([{ at: NOW, count: 4 }], 20, NOW + 6 * HOUR, NOW);
  expect(bars).toEqual([{ at: NOW, count: 4, x: 0, height: 20 }]);
  expect(days.map(({ x, isNamed }) => [Math.round(x), isNamed])).toEqual([[17, true]]);
  expect(moreX).toBe(25);
});

test('two weeks at most, with the names of days that fit; what lies beyond is left out', () => {
  const bursts = Array.from({ length: 30 }, (_, n) => ({ at: NOW + n * DAY, count: 20 }));
  const { bars, days, moreX } = timelineOf(bursts, 20, NOW + 20 * DAY, NOW);
  expect(bars).toHaveLength(15);
  expect(bars.at(-1)?.x).toBe(100);
  expect(days).toHaveLength(14);
  expect(days.filter(({ isNamed }) => isNamed)).toHaveLength(5);
  expect(moreX).toBeNull();
});

test('a bar is as high as its share of a day, or of the largest where a day allows any number', () => {
  const heights = (limit: number) =>
    timelineOf(
      [
        { at: NOW, count: 50 },
        { at: NOW + HOUR, count: 25 },
      ],
      limit,
      null,
      NOW,
    ).bars.map(({ height }) => height);
  expect(heights(100)).toEqual([50, 25]);
  expect(heights(20)).toEqual([100, 50]);
});
