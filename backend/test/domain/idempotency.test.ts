import type { CreateLinkRequest } from '@terse/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decideCreate,
  decideReplay,
  fingerprint,
  isIdempotencyKey,
  limitsLeft,
  linkFingerprint,
  UNSPENT,
  UNUSED,
  type Usage,
} from '../../src/domain/limits/create-requests.ts';

const DAY = 86_400_000;
const NOON = Date.UTC(2026, 2, 29, 12);
const TODAY = Math.floor(NOON / DAY);
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

  it('of a link depends on every field, and is equal for null and a missing field', () => {
    const fields = [
      {},
      { url: 'https://example.com/other' },
      { shortCode: 'a' },
      { title: 'a' },
      { expiresAt: 'a' },
      { domain: 'a' },
      { forwardQuery: true },
      { forwardQuery: false },
      { tags: [] },
      { tags: ['a'] },
      { tags: ['a', 'b'] },
      { forwardQuery: true, domain: 'a' },
      { forwardQuery: true, tags: ['a'] },
    ];
    expect(new Set(fields.map(link)).size).toBe(fields.length);
    const nothing = { shortCode: null, title: null, expiresAt: null, domain: null, forwardQuery: null, tags: null };
    expect(link(nothing)).toBe(link({}));
  });

  it('of a link is different for any two links that differ in a field', () => {
    const text = fc.constantFrom(null, 'domain', 'x', '');
    const flag = fc.constantFrom(null, true, false);
    const tags = fc.oneof(fc.constant(null), fc.array(fc.constantFrom('domain', 'x'), { maxLength: 2 }));
    const anyLink = fc.record({
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

  it('belongs to an idempotency key of 1 to 255 visible characters', () => {
    expect(['a', 'a'.repeat(255), '~!'].every(isIdempotencyKey)).toBe(true);
    expect(['', 'a b', 'a'.repeat(256), 'ü', 'a\n'].some(isIdempotencyKey)).toBe(false);
  });
});

describe('a cached response', () => {
  it('is sent again for thirty days, if the request has the same fingerprint', () => {
    const cached = { fingerprint: BODY, createdAt: NOON };
    expect(decideReplay(BODY, cached, NOON + 30 * DAY - 1)).toBe('replay');
    expect(decideReplay(OTHER, cached, NOON + 30 * DAY - 1)).toBe('reuse');
    expect(decideReplay(BODY, cached, NOON + 30 * DAY)).toBe('make');
    expect(decideReplay(BODY, null, NOON)).toBe('make');
    expect(decideReplay(null, cached, NOON)).toBe('make');
  });

  it('is sent again even if the quota is used up, and does not count against it', () => {
    const spent: Usage = { key: { openAt: NOON + 900, day: TODAY, used: 20 }, account: { day: TODAY, used: 3 } };
    const decision = decideCreate(request({ accountQuota: 3 }), spent, { fingerprint: BODY, createdAt: NOON }, NOON);
    expect(decision).toMatchObject({ action: 'replay', limits: { quota: { remaining: 0 } } });
    expect(decision.usage).toBe(spent);
  });
});

describe('a request that is not a repetition', () => {
  it('is charged to the key and to the account', () => {
    const decision = decideCreate(request({ accountQuota: 3 }), FRESH, null, NOON);
    expect(decision).toEqual({
      action: 'make',
      usage: { key: { openAt: NOON + 1000, day: TODAY, used: 1 }, account: { day: TODAY, used: 1 } },
      limits: {
        throttle: { limit: 1, windowSeconds: 1, remaining: 0, resetSeconds: 1 },
        quota: { limit: 20, windowSeconds: 86_400, remaining: 2, resetSeconds: 43_200 },
      },
    });
  });

  it('is charged even if it reuses the idempotency key of another request', () => {
    const decision = decideCreate(request(), FRESH, { fingerprint: OTHER, createdAt: NOON }, NOON);
    expect(decision).toMatchObject({ action: 'reuse', usage: { key: { used: 1 } } });
    expect(decision.usage.account).toBe(FRESH.account);
  });

  it('is refused without a charge by the throttle, the key’s quota and the account’s quota', () => {
    const refuse = (charges: Usage, accountQuota: number | null = null) => {
      const decision = decideCreate(request({ accountQuota }), charges, null, NOON);
      expect(decision.usage).toBe(charges);
      return [decision.action, decision.limits.quota.remaining];
    };
    expect(refuse({ ...FRESH, key: { openAt: NOON + 1000, day: TODAY, used: 1 } })).toEqual(['throttle', 19]);
    expect(refuse({ ...FRESH, key: { openAt: 0, day: TODAY, used: 20 } })).toEqual(['quota', 0]);
    expect(refuse({ ...FRESH, account: { day: TODAY, used: 3 } }, 3)).toEqual(['quota', 0]);
  });

  it('shortens a wait from before the clock was set back, although the request is refused', () => {
    const ahead: Usage = { key: { openAt: NOON + DAY, day: TODAY, used: 1 }, account: { day: TODAY, used: 1 } };
    expect(decideCreate(request(), ahead, null, NOON)).toMatchObject({
      action: 'throttle',
      usage: { key: { openAt: NOON + 1000, used: 1 }, account: ahead.account },
    });
  });
});

it('the remaining quota is the lower one of the key and its account', () => {
  const charges: Usage = { key: { openAt: 0, day: TODAY, used: 15 }, account: { day: TODAY, used: 8 } };
  const left = (accountQuota: number | null) => limitsLeft(request({ accountQuota }), charges, NOON).quota;
  expect(left(null)).toMatchObject({ limit: 20, remaining: 5 });
  expect(left(10)).toMatchObject({ limit: 20, remaining: 2 });
  expect(left(100)).toMatchObject({ limit: 20, remaining: 5 });
});
