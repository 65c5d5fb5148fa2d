import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LONGEST_WAIT_SECONDS, parseRetryAfter } from '../src/index.ts';

const NOW = Date.UTC(2026, 2, 28, 9, 30, 0);

describe('Retry-After in seconds', () => {
  test.each([
    ['0', 0],
    ['1', 1],
    [' 120 ', 120],
    ['604800', LONGEST_WAIT_SECONDS],
  ])('%j is taken as it stands', (text, seconds) => {
    expect(parseRetryAfter(text, NOW)).toBe(seconds);
  });

  test.each([
    null,
    '',
    ' ',
    '-1',
    '+5',
    '1.5',
    '1e3',
    '0x10',
    '1, 2',
    'soon',
    '604801',
    String(NOW),
    String(NOW / 1000),
    '9'.repeat(400),
  ])('%j is nonsense, which is no wait at all', (text) => {
    expect(parseRetryAfter(text, NOW)).toBeNull();
  });
});

describe('Retry-After as an HTTP date', () => {
  test('is counted from the time of the answer, and rounded up so as never to be early', () => {
    expect(parseRetryAfter('Sat, 28 Mar 2026 09:31:00 GMT', NOW)).toBe(60);
    expect(parseRetryAfter('Sat, 28 Mar 2026 09:31:00 GMT', NOW + 1)).toBe(60);
    expect(parseRetryAfter('Sat, 28 Mar 2026 09:31:00 GMT', NOW + 999)).toBe(60);
    expect(parseRetryAfter('Sat, 28 Mar 2026 09:31:00 GMT', NOW + 1_000)).toBe(59);
  });

  test('in the past is no wait', () => {
    expect(parseRetryAfter('Fri, 27 Mar 2026 09:30:00 GMT', NOW)).toBe(0);
  });

  test.each([
    'Sat, 04 Apr 2026 09:30:01 GMT', // more than a week
    'Fri, 31 Dec 9999 23:59:59 GMT',
    'Sat, 28 Foo 2026 09:31:00 GMT',
    'Sat, 28 Mar 2026 99:31:00 GMT',
    '2026-03-28T09:31:00Z',
    'March 28, 2026',
  ])('%j is nonsense', (text) => {
    expect(parseRetryAfter(text, NOW)).toBeNull();
  });
});

test('any string is a wait in bounds or none', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.integer().map(String), fc.date().map(String));
  fc.assert(
    fc.property(text, fc.integer(), (value, now) => {
      const seconds = parseRetryAfter(value, now);
      if (seconds === null) return;
      expect(Number.isInteger(seconds)).toBe(true);
      expect(seconds).toBeGreaterThanOrEqual(0);
      expect(seconds).toBeLessThanOrEqual(LONGEST_WAIT_SECONDS);
    }),
  );
});
