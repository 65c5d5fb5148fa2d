import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatRateLimit,
  type Limit,
  MAX_WAIT_SECONDS,
  parseRateLimit,
  parseRetryAfter,
  readLimit,
} from '../src/index.ts';

const NONE = { throttle: null, quota: null };
const WEEK = 7 * 86_400;

describe('the RateLimit headers of our service', () => {
  test('contain throttle and quota, each with the number of remaining requests', () => {
    const policy = '"throttle";q=1;w=1, "quota";q=20;w=86400';
    const state = '"throttle";r=0;t=1, "quota";r=7;t=40211';
    expect(parseRateLimit(policy, state)).toEqual({
      throttle: { limit: 1, windowSeconds: 1, remaining: 0, resetSeconds: 1 },
      quota: { limit: 20, windowSeconds: 86_400, remaining: 7, resetSeconds: 40_211 },
    });
  });

  test('are recognized by the names of the limits, whatever the windows', () => {
    const slow = parseRateLimit(
      '"throttle";q=1;w=100, "quota";q=20;w=86400',
      '"throttle";r=0;t=100, "quota";r=19;t=44546',
    );
    expect(slow.throttle).toEqual({ limit: 1, windowSeconds: 100, remaining: 0, resetSeconds: 100 });
    expect(slow.quota).toEqual({ limit: 20, windowSeconds: 86_400, remaining: 19, resetSeconds: 44_546 });
    const short = parseRateLimit('"throttle";q=5;w=1, "quota";q=20;w=60', null);
    expect(short.quota).toEqual({ limit: 20, windowSeconds: 60, remaining: null, resetSeconds: null });
    expect(parseRateLimit('"throttle";q=1;w=100', null).quota).toBeNull();
  });

  test('are read back unchanged', () => {
    const limit = (least: number, most: number): fc.Arbitrary<Limit> =>
      fc.integer({ min: least, max: most }).chain((windowSeconds) =>
        fc.record({
          limit: fc.integer({ min: 1, max: 1_000_000_000 }),
          windowSeconds: fc.constant(windowSeconds),
          remaining: fc.integer({ min: 0, max: 1_000_000_000 }),
          resetSeconds: fc.integer({ min: 0, max: windowSeconds }),
        }),
      );
    fc.assert(
      fc.property(limit(1, 60), limit(61, WEEK), (throttle, quota) => {
        const { policy, state } = formatRateLimit({ throttle, quota });
        expect(parseRateLimit(policy, state)).toEqual({ throttle, quota });
      }),
    );
  });
});

describe('the RateLimit headers of other services', () => {
  test('may use any names, and a limit with a window up to a minute is a throttle', () => {
    const { throttle, quota } = parseRateLimit('"a";q=5;w=60, "b";q=9;w=61', null);
    expect(throttle?.limit).toBe(5);
    expect(quota?.limit).toBe(9);
  });

  test('may omit the number of remaining requests', () => {
    expect(parseRateLimit('"quota";q=20;w=86400', null).quota).toEqual({
      limit: 20,
      windowSeconds: 86_400,
      remaining: null,
      resetSeconds: null,
    });
  });

  test('may contain several throttles, of which the slowest is used', () => {
    expect(parseRateLimit('"burst";q=10;w=1, "pace";q=60;w=60', null).throttle?.windowSeconds).toBe(60);
    expect(parseRateLimit('"pace";q=60;w=60, "burst";q=10;w=1', null).throttle?.windowSeconds).toBe(60);
  });

  test('may contain several quotas, of which the one with the fewest remaining requests is used', () => {
    const policy = '"hour";q=100;w=3600, "day";q=1000;w=86400';
    expect(parseRateLimit(policy, '"hour";r=9;t=60, "day";r=3;t=500').quota?.limit).toBe(1000);
    expect(parseRateLimit(policy, '"hour";r=2;t=60, "day";r=3;t=500').quota?.limit).toBe(100);
    expect(parseRateLimit(policy, null).quota?.limit).toBe(100);
    expect(parseRateLimit('"hour";q=20;w=3600, "day";q=20;w=86400', null).quota?.windowSeconds).toBe(86_400);
  });

  test('may contain two used-up quotas, of which the one with the later reset is used', () => {
    const spent = '"hour";r=0;t=60, "day";r=0;t=500';
    expect(parseRateLimit('"hour";q=100;w=3600, "day";q=1000;w=86400', spent).quota?.resetSeconds).toBe(500);
    expect(parseRateLimit('"day";q=1000;w=86400, "hour";q=100;w=3600', spent).quota?.resetSeconds).toBe(500);
  });
});

describe('invalid values are ignored', () => {
  test.each([
    [null, null],
    ['', ''],
    ['20', '7'],
    ['20, 20;w=86400', null],
    ['"quota";q=20', null],
    ['"quota";w=86400', null],
    ['"quota";q=0;w=86400', null],
    ['"quota";q=-1;w=86400', null],
    ['"quota";q=20.5;w=86400', null],
    ['"quota";q="20";w=86400', null],
    ['"quota";q=1000000001;w=86400', null],
    ['"quota";q=20;w=604801', null],
    ['"quota";q=20;w=0', null],
    ['"quota;q=20;w=86400', null],
    ['limit=20, window=86400', null],
    [null, '"quota";r=7;t=40211'],
  ])('policy %j, state %j', (policy, state) => {
    expect(parseRateLimit(policy, state)).toEqual(NONE);
  });

  test.each([
    '"quota";r=-1;t=-1',
    '"quota";r=1000000001;t=86401', // the reset is later than the end of the window
    '"quota";r="7";t=1.5',
    '"other";r=7;t=1',
    'broken"',
  ])('a state of %j reports neither requests left nor reset', (state) => {
    expect(parseRateLimit('"quota";q=20;w=86400', state).quota).toMatchObject({ remaining: null, resetSeconds: null });
  });

  test('an invalid limit does not invalidate the others', () => {
    const { throttle, quota } = parseRateLimit('"x";q=0;w=1, "throttle";q=2;w=1', null);
    expect(throttle?.limit).toBe(2);
    expect(quota).toBeNull();
  });

  test('any two header values give valid limits or none', () => {
    const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom('""', '?1', '99999999999999999')).map(String);
    const member = fc.tuple(number, number).map(([one, two]) => `"a";q=${one};w=${two};r=${two};t=${one}`);
    const text = fc.oneof(fc.string({ unit: 'binary' }), member, fc.array(member).map(String));
    fc.assert(
      fc.property(text, text, (policy, state) => {
        for (const limit of Object.values(parseRateLimit(policy, state))) if (limit) expectInBounds(limit);
      }),
    );
  });

  test('any limit in a key document gives a valid limit or none', () => {
    const value = fc.oneof(fc.anything(), fc.integer({ min: -5, max: 700_000 }));
    const limits = fc.record({ limit: value, windowSeconds: value, remaining: value, resetSeconds: value });
    fc.assert(
      fc.property(limits, (document) => {
        const limit = readLimit(document);
        if (limit) expectInBounds(limit);
      }),
    );
  });
});

function expectInBounds({ limit, windowSeconds, remaining, resetSeconds }: Limit): void {
  const whole = (value: number, least: number, most: number) =>
    expect(Number.isInteger(value) && value >= least && value <= most, String(value)).toBe(true);
  whole(limit, 1, 1_000_000_000);
  whole(windowSeconds, 1, WEEK);
  whole(remaining ?? 0, 0, 1_000_000_000);
  whole(resetSeconds ?? 0, 0, windowSeconds);
}

const NOW = Date.UTC(2026, 2, 28, 9, 30, 0);

describe('Retry-After in seconds', () => {
  test.each([
    ['0', 0],
    ['1', 1],
    [' 120 ', 120],
    ['604800', MAX_WAIT_SECONDS],
  ])('%j is valid', (text, seconds) => {
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
  ])('%j is invalid', (text) => {
    expect(parseRetryAfter(text, NOW)).toBeNull();
  });
});

describe('Retry-After as an HTTP date', () => {
  test('is relative to the time of the response, and the wait is rounded up', () => {
    expect(parseRetryAfter('Sat, 28 Mar 2026 09:31:00 GMT', NOW)).toBe(60);
    expect(parseRetryAfter('Sat, 28 Mar 2026 09:31:00 GMT', NOW + 1)).toBe(60);
    expect(parseRetryAfter('Sat, 28 Mar 2026 09:31:00 GMT', NOW + 999)).toBe(60);
    expect(parseRetryAfter('Sat, 28 Mar 2026 09:31:00 GMT', NOW + 1_000)).toBe(59);
  });

  test('in the past means no wait', () => {
    expect(parseRetryAfter('Fri, 27 Mar 2026 09:30:00 GMT', NOW)).toBe(0);
  });

  test.each([
    'Sat, 04 Apr 2026 09:30:01 GMT', // more than a week
    'Fri, 31 Dec 9999 23:59:59 GMT',
    'Sat, 28 Foo 2026 09:31:00 GMT',
    'Sat, 28 Mar 2026 99:31:00 GMT',
    '2026-03-28T09:31:00Z',
    'March 28, 2026',
  ])('%j is invalid', (text) => {
    expect(parseRetryAfter(text, NOW)).toBeNull();
  });
});

test('any Retry-After value gives a valid wait or none', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.integer().map(String), fc.date().map(String));
  fc.assert(
    fc.property(text, fc.integer(), (value, now) => {
      const seconds = parseRetryAfter(value, now);
      if (seconds === null) return;
      expect(Number.isInteger(seconds)).toBe(true);
      expect(seconds).toBeGreaterThanOrEqual(0);
      expect(seconds).toBeLessThanOrEqual(MAX_WAIT_SECONDS);
    }),
  );
});
