import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clicksIn, comparedDays, comparedMonths } from '../../src/domain/analytics/calendar.ts';

const hour = (text: string) => Date.parse(`${text}:00Z`) / 3_600_000;
const text = (number: number) => new Date(number * 3_600_000).toISOString().slice(0, 13);
const hours = ({ from, to }: { from: number; to: number }) => `${text(from)} ${text(to)}`;

describe('compared periods', () => {
  it.each([
    ['2026-07-14T14:00', '2026-07-14T00 2026-07-14T14', '2026-07-13T00 2026-07-13T14'],
    ['2026-07-14T00:00', '2026-07-14T00 2026-07-14T00', '2026-07-13T00 2026-07-13T00'],
    ['2026-03-01T23:00', '2026-03-01T00 2026-03-01T23', '2026-02-28T00 2026-02-28T23'],
  ])('at %s today have as many full hours of yesterday', (now, whole, before) => {
    const days = comparedDays(hour(now));
    expect([hours(days.whole), hours(days.before)]).toEqual([whole, before]);
    expect(days.soFar).toEqual({ from: days.whole.from, to: hour(now) + 1 });
  });

  it.each([
    ['2026-07-14T14:00', '2026-07-01T00 2026-07-14T14', '2026-06-01T00 2026-06-14T14'],
    ['2026-01-02T01:00', '2026-01-01T00 2026-01-02T01', '2025-12-01T00 2025-12-02T01'],
    ['2026-03-30T14:00', '2026-03-01T00 2026-03-30T14', '2026-02-01T00 2026-03-01T00'],
    ['2024-03-29T23:00', '2024-03-01T00 2024-03-29T23', '2024-02-01T00 2024-02-29T23'],
    ['2026-07-01T00:00', '2026-07-01T00 2026-07-01T00', '2026-06-01T00 2026-06-01T00'],
  ])('at %s this month have the same part of the last month, or all of it', (now, whole, before) => {
    const months = comparedMonths(hour(now));
    expect([hours(months.whole), hours(months.before)]).toEqual([whole, before]);
  });

  it('have an earlier period that is not longer, and do not overlap', () => {
    fc.assert(
      fc.property(fc.integer({ min: 400_000, max: 700_000 }), (now) => {
        for (const { whole, before, soFar } of [comparedDays(now), comparedMonths(now)]) {
          expect(before.to - before.from).toBeLessThanOrEqual(whole.to - whole.from);
          expect(before.to).toBeLessThanOrEqual(whole.from);
          expect([whole.to, soFar.to]).toEqual([now, now + 1]);
        }
      }),
    );
  });

  it('contain the clicks between their limits', () => {
    const counted = [5, 6, 7, 8].map((number) => ({ hour: number, clicks: 10 ** (number - 5) }));
    expect(clicksIn({ from: 6, to: 8 }, counted)).toBe(110);
    expect(clicksIn({ from: 9, to: 9 }, counted)).toBe(0);
  });
});
