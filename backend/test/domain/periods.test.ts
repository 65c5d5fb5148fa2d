import { describe, expect, it } from 'vitest';
import { clicksIn, comparedDays } from '../../src/domain/analytics/calendar.ts';

const hour = (text: string) => Date.parse(`${text}:00Z`) / 3_600_000;
const text = (number: number) => new Date(number * 3_600_000).toISOString().slice(0, 13);
const hours = ({ from, to }: { from: number; to: number }) => `${text(from)} ${text(to)}`;

describe('compared periods', () => {
  it.each([
    ['2026-07-14T14:00', '2026-07-14T00 2026-07-14T14', '2026-07-13T00 2026-07-13T14'],
    ['2026-07-14T00:00', '2026-07-14T00 2026-07-14T00', '2026-07-13T00 2026-07-13T00'],
    ['2026-03-01T23:00', '2026-03-01T00 2026-03-01T23', '2026-02-28T00 2026-02-28T23'],
  ])('at %s are the full hours of today and the same hours of yesterday', (now, whole, before) => {
    const days = comparedDays(hour(now));
    expect([hours(days.whole), hours(days.before)]).toEqual([whole, before]);
    expect(days.soFar).toEqual({ from: days.whole.from, to: hour(now) + 1 });
  });

  it('include only clicks from their first hour up to, but not including, their end', () => {
    const counted = [5, 6, 7, 8].map((number) => ({ hour: number, clicks: 10 ** (number - 5) }));
    expect(clicksIn({ from: 6, to: 8 }, counted)).toBe(110);
    expect(clicksIn({ from: 9, to: 9 }, counted)).toBe(0);
  });
});
