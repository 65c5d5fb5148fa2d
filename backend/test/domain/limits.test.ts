import type { CreateLinkRequest } from '@terse/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CACHED_FOR_MS,
  chargeQuota,
  decideCreate,
  fingerprint,
  type KeyUsage,
  limitsInForce,
  limitsLeft,
  linkFingerprint,
  UNSPENT,
  UNUSED,
  type Usage,
} from '../../src/domain/limits/create-requests.ts';
import { type KeyLimits, validateKeyLimits } from '../../src/domain/limits/key-limits.ts';

const DAY = 86_400_000;
const NOON = Date.UTC(2026, 2, 29, 12);
const LIMITS: KeyLimits = { throttle: 1, quota: 20 };

function charge(limits: KeyLimits, before: KeyUsage, now: number) {
  const request = { limits, accountQuota: null, fingerprint: null };
  const { action, usage, limits: left } = decideCreate(request, { key: before, account: UNSPENT }, null, now);
  return { refusedBy: action === 'throttle' || action === 'quota' ? action : null, state: usage.key, report: left };
}

const report = (limits: KeyLimits, key: KeyUsage, now: number) =>
  limitsLeft({ limits, accountQuota: null }, { key, account: UNSPENT }, now);

/** Sends a request at each of these times and returns the times that the limits allowed. */
function send(limits: KeyLimits, instants: number[]): number[] {
  let state: KeyUsage = UNUSED;
  return instants.filter((now) => {
    const verdict = charge(limits, state, now);
    state = verdict.state;
    return verdict.refusedBy === null;
  });
}

const limitsArbitrary = fc.record({
  throttle: fc.constantFrom(0.1, 0.5, 1, 2, 2.5, 10, 1000),
  quota: fc.integer({ min: 1, max: 30 }),
});
const instantsArbitrary = fc
  .array(fc.oneof(fc.nat(5_000), fc.nat(DAY)), { maxLength: 120 })
  .map((gaps) => gaps.map((gap, at) => NOON + gaps.slice(0, at).reduce((sum, each) => sum + each, gap)));

describe('the limits of a key', () => {
  it('never allow more requests per UTC day than the quota, or more at once than they state', () => {
    fc.assert(
      fc.property(limitsArbitrary, instantsArbitrary, (limits, instants) => {
        const sent = send(limits, instants);
        for (const day of Map.groupBy(sent, (at) => Math.floor(at / DAY)).values()) {
          expect(day.length).toBeLessThanOrEqual(limits.quota);
        }
        const promised = report(limits, UNUSED, NOON).throttle.limit;
        for (const [from, first] of sent.entries()) {
          for (const [more, last] of sent.slice(from).entries()) {
            expect(more + 1).toBeLessThanOrEqual(promised + (last - first) * (limits.throttle / 1000) + 1e-6);
          }
        }
      }),
    );
  });

  it('allow as many requests at once as they state, and report how many are left', () => {
    fc.assert(
      fc.property(fc.constantFrom(0.1, 1, 1.5, 2, 2.5, 3, 5, 7, 10, 1000), (throttle) => {
        const limits = { throttle, quota: 10_000 };
        const { limit } = report(limits, UNUSED, NOON).throttle;
        let state: KeyUsage = UNUSED;
        for (let left = limit; left > 0; left -= 1) {
          expect(report(limits, state, NOON).throttle.remaining).toBe(left);
          const verdict = charge(limits, state, NOON);
          expect(verdict.refusedBy).toBeNull();
          state = verdict.state;
        }
        expect(report(limits, state, NOON).throttle.remaining).toBe(0);
        expect(charge(limits, state, NOON).refusedBy).toBe('throttle');
      }),
    );
  });

  it('charge nothing for a refused request, so that there is nothing to store', () => {
    const spent: KeyUsage = { openAt: NOON + 500, day: Math.floor(NOON / DAY), used: 20 };
    for (const state of [spent, { ...spent, used: 3 }, { ...spent, openAt: 0 }]) {
      expect(charge(LIMITS, state, NOON).state).toBe(state);
    }
  });

  it('count a day that is too far in the future as tomorrow', () => {
    const today = Math.floor(NOON / DAY);
    const ahead: KeyUsage = { openAt: 0, day: today + 30, used: 20 };
    expect(charge(LIMITS, ahead, NOON)).toMatchObject({ refusedBy: 'quota', state: { day: today + 1, used: 20 } });
  });

  it('say when to retry, never too early and at most a second too late', () => {
    fc.assert(
      fc.property(limitsArbitrary, instantsArbitrary, (limits, instants) => {
        let state: KeyUsage = UNUSED;
        for (const now of instants) {
          const { refusedBy, state: after, report } = charge(limits, state, now);
          state = after;
          if (!refusedBy) continue;
          const wait = report[refusedBy].resetSeconds;
          expect(Number.isInteger(wait) && wait >= 1).toBe(true);
          expect(charge(limits, state, now + wait * 1000).refusedBy).not.toBe(refusedBy);
          expect(charge(limits, state, now + wait * 1000 - 1000).refusedBy).toBe(refusedBy);
        }
      }),
    );
  });

  it('allow a request one interval after the clock was set back by any amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 10 * DAY }), (back) => {
        const set = NOON - back;
        expect(send(LIMITS, [NOON, set, set + 500, set + 999, set + 1000])).toEqual([NOON, set + 1000]);
      }),
    );
  });

  it('restore no quota if the clock moves back and forth by less than a day', () => {
    const gaps = fc.array(fc.oneof(fc.nat(5_000), fc.nat(DAY)), { maxLength: 120 });
    fc.assert(
      fc.property(limitsArbitrary, gaps, fc.array(fc.nat(DAY)), (limits, forward, backward) => {
        let state: KeyUsage = UNUSED;
        let latest = NOON;
        const sent = new Map<number, number>();
        for (const [at, gap] of forward.entries()) {
          const now = sent.size === 0 ? NOON : latest - (backward[at] ?? 0) + gap;
          const verdict = charge(limits, state, now);
          state = verdict.state;
          if (verdict.refusedBy) continue;
          latest = Math.max(latest, now);
          const day = Math.floor(latest / DAY);
          sent.set(day, (sent.get(day) ?? 0) + 1);
        }
        for (const count of sent.values()) expect(count).toBeLessThanOrEqual(limits.quota);
      }),
    );
  });

  it('are fully reset after two days, regardless of how far ahead the clock was', () => {
    const ahead = fc.integer({ min: 1, max: 100 * 365 * DAY });
    fc.assert(
      fc.property(ahead, fc.integer({ min: 1, max: 25 }), fc.nat(DAY), (far, sends, asked) => {
        let state: KeyUsage = UNUSED;
        for (let at = 0; at < sends; at += 1) state = charge(LIMITS, state, NOON + far + at * 1000).state;
        const set = charge(LIMITS, state, NOON + asked);
        expect(set.report.quota.resetSeconds).toBeLessThanOrEqual((2 * DAY) / 1000);
        const whole = (Math.floor((NOON + asked) / DAY) + 2) * DAY;
        // Requests in between must not change the result.
        const meanwhile = charge(LIMITS, set.state, NOON + DAY).state;
        expect(report(LIMITS, set.state, whole).quota.remaining).toBe(20);
        expect(report(LIMITS, meanwhile, whole).quota.remaining).toBe(20);
      }),
    );
  });

  it('report a slow throttle by its window and a fast one by its count', () => {
    expect(report({ throttle: 0.4, quota: 5 }, UNUSED, NOON).throttle).toMatchObject({ limit: 1, windowSeconds: 3 });
    expect(report({ throttle: 10, quota: 5 }, UNUSED, NOON).throttle).toMatchObject({ limit: 10, windowSeconds: 1 });
  });

  it('allow rates above the resolution of the clock', () => {
    const sent = send(
      { throttle: 50_000, quota: 1e9 },
      Array.from({ length: 20_000 }, (_, at) => NOON + Math.floor(at / 100)),
    );
    expect(sent).toHaveLength(20_000);
    // Timestamps with fractions are inexact, so the result of many steps is inexact too.
    const atOnce = send({ throttle: 50_000, quota: 1e9 }, Array(60_000).fill(NOON)).length;
    expect(Math.abs(atOnce - 50_000)).toBeLessThan(1000);
  });
});

const STANDARD = { quota: 20, throttle: 2 };

describe('limits that a user enters for an API key', () => {
  const read = (quota: string, throttle: string, isOwner = false) =>
    validateKeyLimits({ quota, throttle }, STANDARD, isOwner);

  it('are the default if a field is empty, and ignore spaces', () => {
    expect(read(' ', ' ')).toEqual({ limits: { quota: null, throttle: null } });
    expect(read(' 5 ', '')).toEqual({ limits: { quota: 5, throttle: null } });
    expect(read('', ' 0.5 ')).toEqual({ limits: { quota: null, throttle: 0.5 } });
  });

  it('can be as high as the default of the service, and higher only for the owner', () => {
    expect(read('20', '2')).toEqual({ limits: { quota: 20, throttle: 2 } });
    expect(read('21', '2')).toEqual({ problems: { quota: 'This server allows at most 20.', throttle: null } });
    expect(read('20', '2.1')).toEqual({ problems: { quota: null, throttle: 'This server allows at most 2.' } });
    expect(read('21', '2.1', true)).toEqual({ limits: { quota: 21, throttle: 2.1 } });
  });

  const problems = {
    quota: 'Please enter a whole number from 1 to 999,999,999.',
    throttle: 'Please enter a number from 0.001 to 100,000.',
  };

  it.each([
    ['1', '0.001'],
    ['999999999', '100000'],
    ['20', '12.25'],
  ])('can be %s per day and %s per second', (quota, throttle) => {
    expect(read(quota, throttle, true)).toEqual({ limits: { quota: Number(quota), throttle: Number(throttle) } });
  });

  it.each([
    ['0', '0.0009'],
    ['1000000000', '100000.1'],
    ['1.5', '1.'],
    ['-5', '-1'],
    ['5 a day', '1/s'],
  ])('cannot be %s per day or %s per second', (quota, throttle) => {
    expect(read(quota, throttle, true)).toEqual({ problems });
  });

  it('are refused with a message for each invalid field', () => {
    expect(read('none', 'none')).toEqual({ problems });
    expect(read('none', '', true)).toEqual({ problems: { ...problems, throttle: null } });
  });
});

describe('the limits in force', () => {
  it('are the defaults of the service if the key has none', () => {
    for (const isOwner of [true, false]) {
      expect(limitsInForce({ quota: null, throttle: null }, STANDARD, isOwner)).toEqual(STANDARD);
    }
  });

  it('follow a lowered default, except for keys of the owner', () => {
    const high = { quota: 500, throttle: 50 };
    expect(limitsInForce(high, STANDARD, false)).toEqual(STANDARD);
    expect(limitsInForce(high, STANDARD, true)).toEqual(high);
    expect(limitsInForce({ quota: 3, throttle: 0.1 }, STANDARD, false)).toEqual({ quota: 3, throttle: 0.1 });
  });
});

it('the daily quota of an account never grants more per day than its limit, for any sequence of requests', () => {
  fc.assert(
    fc.property(fc.nat(500), fc.array(fc.record({ units: fc.nat(200), gap: fc.nat(DAY / 4) })), (most, asked) => {
      let use = UNSPENT;
      let now = NOON;
      const granted = new Map<number, number>();
      for (const { units, gap } of asked) {
        now += gap;
        const { use: after, spent } = chargeQuota(most, use, units, now);
        use = after;
        expect(spent.granted).toBeLessThanOrEqual(units);
        if (spent.granted < units) expect(spent.left).toBe(0);
        const day = Math.floor(now / DAY);
        granted.set(day, (granted.get(day) ?? 0) + spent.granted);
        expect(granted.get(day)).toBe(most - spent.left);
      }
    }),
  );
});

const BODY = fingerprint('/api/shorten', Buffer.from('one'));
const OTHER = fingerprint('/api/shorten', Buffer.from('two'));
const FRESH: Usage = { key: UNUSED, account: UNSPENT };

const request = (changes: { accountQuota?: number | null } = {}) => ({
  limits: { throttle: 1, quota: 20 },
  accountQuota: null,
  fingerprint: BODY,
  ...changes,
});
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const link = (fields: Partial<CreateLinkRequest>) => hex(linkFingerprint({ url: 'https://example.com/', ...fields }));

describe('a fingerprint', () => {
  it('depends on the endpoint and on every byte of the body', () => {
    expect(hex(fingerprint('/api/shorten', Buffer.from('one')))).toBe(hex(BODY));
    expect(hex(OTHER)).not.toBe(hex(BODY));
    expect(hex(fingerprint('/api/v1/urls', Buffer.from('one')))).not.toBe(hex(BODY));
    expect(hex(fingerprint('/a', Buffer.from('b')))).not.toBe(hex(fingerprint('/ab', Buffer.from(''))));
  });

  it('of a link is equal for null and a missing field', () => {
    const nothing = { shortCode: null, title: null, expiresAt: null, domain: null, forwardQuery: null, tags: null };
    expect(link(nothing)).toBe(link({}));
  });

  it('of a link is different for any two links that differ in a field', () => {
    const text = fc.constantFrom(null, 'domain', 'x', '');
    const flag = fc.constantFrom(null, true, false);
    const tags = fc.oneof(fc.constant(null), fc.array(fc.constantFrom('domain', 'x'), { maxLength: 2 }));
    const anyLink = fc.record({
      url: fc.constantFrom('https://example.com/', 'x'),
      shortCode: text,
      domain: text,
      title: text,
      expiresAt: text,
      forwardQuery: flag,
      tags,
    });
    fc.assert(
      fc.property(anyLink, anyLink, (one, other) => {
        expect(link(one) === link(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });
});

it('a request that exceeds the quota of the account is refused, although its key has some of its own quota left', () => {
  const decide = (used: number) => {
    const account = { day: Math.floor(NOON / DAY), used };
    const { action, usage, limits } = decideCreate(request({ accountQuota: 5 }), { ...FRESH, account }, null, NOON);
    return { action, used: [usage.key.used, usage.account.used], quota: limits.quota, limit: limits.throttle.limit };
  };
  const quota = { limit: 20, windowSeconds: 86_400, resetSeconds: 43_200 };
  expect(decide(3)).toEqual({ action: 'make', used: [1, 4], quota: { ...quota, remaining: 1 }, limit: 1 });
  expect(decide(5)).toEqual({ action: 'quota', used: [0, 5], quota: { ...quota, remaining: 0 }, limit: 1 });
});

it('a request that is not a repetition is charged even if it reuses the idempotency key of another request', () => {
  const decision = decideCreate(request(), FRESH, { fingerprint: OTHER, createdAt: NOON }, NOON);
  expect(decision).toMatchObject({ action: 'reuse', usage: { key: { used: 1 } } });
  expect(decision.usage.account).toBe(FRESH.account);
  const ahead = { fingerprint: OTHER, createdAt: NOON + CACHED_FOR_MS };
  expect(decideCreate(request(), FRESH, ahead, NOON)).toMatchObject({ action: 'reuse' });
});
