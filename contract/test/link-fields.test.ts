import { describe, expect, test } from 'vitest';
import { DateTimeText, isTitle, parseDateTime, TITLE_LIMIT, TitleText } from '../src/index.ts';

describe('a date and time', () => {
  test.each([
    ['2026-03-28T09:30:00Z', '2026-03-28T09:30:00.000Z'],
    ['2026-03-28t09:30:00z', '2026-03-28T09:30:00.000Z'],
    ['2026-03-28T09:30:00.123456+02:00', '2026-03-28T07:30:00.123Z'],
    ['2024-02-29T00:00:00-00:00', '2024-02-29T00:00:00.000Z'],
    ['1990-12-31T23:59:60Z', '1991-01-01T00:00:00.000Z'],
    ['1990-12-31T15:59:60.5-08:00', '1991-01-01T00:00:00.500Z'],
  ])('%s is read as %s', (text, iso) => {
    const instant = parseDateTime(text);
    expect(instant !== null && new Date(instant).toISOString()).toBe(iso);
    expect(DateTimeText.safeParse(text).success).toBe(true);
  });

  test.each([
    'tomorrow',
    '2026-03-28',
    '2026-03-28T09:30Z',
    '2026-03-28T09:30:00',
    '2026-03-28 09:30:00Z',
    '2026-02-29T00:00:00Z',
    '2026-03-28T24:00:00Z',
    '2026-03-28T09:30:60Z',
    '2026-03-28T23:59:61Z',
    '2026-03-28T09:30:00+24:00',
    ' 2026-03-28T09:30:00Z',
    '',
  ])('%j is invalid', (text) => {
    expect(parseDateTime(text)).toBeNull();
    expect(DateTimeText.safeParse(text).success).toBe(false);
  });
});

describe('a title', () => {
  test.each([
    ['a', 1],
    ['🦦', 1],
    ['e\u0301', 2],
  ])('of %s has its length measured in code points', (letter, points) => {
    const most = Math.floor(TITLE_LIMIT / points);
    for (const [count, fits] of [
      [most, true],
      [most + 1, false],
    ] as const) {
      expect(isTitle(letter.repeat(count))).toBe(fits);
      expect(TitleText.safeParse(letter.repeat(count)).success).toBe(fits);
    }
  });
});
