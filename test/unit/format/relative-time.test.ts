import '../../gallery/stubbed.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { formatDateTime, formatDay, formatDuration, formatTimeAgo } from '../../../src/format/relative-time.ts';
import { speak } from '../../gallery/browser-stub.ts';

beforeEach(() => speak('en-GB', {}));

// Times are in the local time zone, so that the test passes in every time zone.
const at = (month: number, date: number, hour: number, minute = 0, year = 2026) =>
  new Date(year, month - 1, date, hour, minute).getTime();
const NOW = at(11, 20, 19, 42);
const words = (moment: number) => formatDateTime(moment, NOW);

describe('future times', () => {
  test.each([
    ['past', NOW - 5000, 'now'],
    ['this moment', NOW, 'now'],
    ['under half a minute', NOW + 29_999, 'in a few seconds'],
    ['under a minute, never too early', NOW + 30_000, 'in 1 min'],
    ['under an hour', NOW + 11.2 * 60_000, 'in 12 min'],
    ['later today', at(11, 20, 23, 5), 'at 23:05'],
    ['three seconds past a minute, never a minute early', at(11, 20, 23, 5) + 3_000, 'at 23:06'],
    ['a second past midnight, as services report it', at(11, 21, 0) + 1_000, 'tomorrow at 00:00'],
    ['the last second of a day', at(11, 20, 23, 59) + 59_000, 'tomorrow at 00:00'],
    ['tomorrow, in many hours', at(11, 21, 23, 59), 'tomorrow at 23:59'],
    ['the day after tomorrow', at(11, 22, 2), 'on Sun 22 Nov at 02:00'],
  ])('%s', (_case, moment, expected) => {
    expect(words(moment).replace(/,/g, '')).toBe(expected);
  });

  test("use the user's number and clock formats", () => {
    speak('en-US', {});
    expect(formatDateTime(at(11, 21, 14), NOW).replace(/\s/g, ' ')).toBe('tomorrow at 2:00 PM');
  });

  test('count calendar days, even if a day has 23 or 25 hours', () => {
    for (let date = 1; date <= 365; date += 1) {
      const late = new Date(2026, 0, date, 23, 30).getTime();
      const early = new Date(2026, 0, date + 1, 2).getTime();
      expect(formatDateTime(early, late)).toMatch(/^tomorrow at/);
    }
  });
});

test.each([
  [NOW, 'just now'],
  [NOW + 60_000, 'just now'],
  [NOW - 12.9 * 60_000, '12 min ago'],
  [at(11, 20, 18, 20), 'at 18:20'],
  [at(11, 19, 23, 59), 'yesterday at 23:59'],
  [at(11, 16, 12), 'on Mon 16 Nov at 12:00'],
])('the past time %d is shown as “%s”', (moment, expected) => {
  expect(formatTimeAgo(moment, NOW).replace(/,/g, '')).toBe(expected);
});

test('a duration uses the largest whole unit', () => {
  expect(formatDuration(86_400)).toBe('1 day');
  expect(formatDuration(43_200)).toBe('12 hours');
  expect(formatDuration(5_400)).toBe('90 minutes');
});

test.each([
  [at(11, 20, 0, 1), 'today'],
  [at(11, 19, 23, 59), 'yesterday'],
  [at(11, 16, 12), '16 Nov'],
  [at(12, 30, 12, 0, 2025), '30 Dec 2025'],
])('the day %d is shown as “%s”', (moment, expected) => {
  expect(formatDay(moment, NOW)).toBe(expected);
});
