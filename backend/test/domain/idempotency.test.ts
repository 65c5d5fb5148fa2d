import type { CreateLinkRequest } from '@terse/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decideCreate,
  fingerprint,
  linkFingerprint,
  UNSPENT,
  UNUSED,
  type Usage,
} from '../../src/domain/limits/create-requests.ts';

const NOON = Date.UTC(2026, 2, 29, 12);
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
