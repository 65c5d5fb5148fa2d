import type { CreateLinkRequest } from '@terse/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chargeQuota,
  decideCreate,
  fingerprint,
  limitsInForce,
  linkFingerprint,
  UNSPENT,
  UNUSED,
  type Usage,
} from '../../src/domain/limits/create-requests.ts';
import { validateKeyLimits } from '../../src/domain/limits/key-limits.ts';

const STANDARD = { quota: 20, throttle: 2 };
const DAY = 86_400_000;
const NOON = Date.UTC(2026, 2, 29, 12);

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

  it('are refused with a message for each invalid field', () => {
    const problems = {
      quota: 'Please enter a whole number from 1 to 999,999,999.',
      throttle: 'Please enter a number from 0.001 to 100,000.',
    };
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

describe('the daily quota of an account', () => {
  it('never grants more per day than its limit, for any sequence of requests', () => {
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

describe('a request that is not a repetition', () => {
  it('is charged even if it reuses the idempotency key of another request', () => {
    const decision = decideCreate(request(), FRESH, { fingerprint: OTHER, createdAt: NOON }, NOON);
    expect(decision).toMatchObject({ action: 'reuse', usage: { key: { used: 1 } } });
    expect(decision.usage.account).toBe(FRESH.account);
  });
});
