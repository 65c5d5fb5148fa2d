import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Charges, type CreateRequest, decideCreate } from '../../src/domain/limits/accept-or-refuse-create.ts';
import { chargeQuota, quotasOf, standardAccountQuota, UNSPENT } from '../../src/domain/limits/account-quotas.ts';
import { CACHED_FOR_MS } from '../../src/domain/limits/idempotency-key.ts';
import { UNUSED } from '../../src/domain/limits/key-limits.ts';
import { NOON } from '../support/store.ts';

const DAY = 86_400_000;
const UNCHARGED: Charges = { key: UNUSED, account: UNSPENT };
const order = (more: Partial<CreateRequest> = {}): CreateRequest => ({
  limits: { throttle: 1, quota: 20 },
  accountQuota: null,
  fingerprint: null,
  ...more,
});
const print = (byte: number) => new Uint8Array(32).fill(byte);
const today = Math.floor(NOON / DAY);

describe('submitting a create request', () => {
  it('creates the links if nothing prevents it, and charges the key and the account', () => {
    const decision = decideCreate(order({ accountQuota: 3 }), UNCHARGED, null, NOON);
    expect(decision).toMatchObject({
      fate: 'make',
      charges: { key: { used: 1, openAt: NOON + 1000 }, account: { day: today, used: 1 } },
      limits: { quota: { limit: 20, remaining: 2 } },
    });
  });

  it('charges no account without a budget', () => {
    const { charges, limits } = decideCreate(order(), UNCHARGED, null, NOON);
    expect(charges.account).toBe(UNSPENT);
    expect(limits.quota.remaining).toBe(19);
  });

  it('is refused by the account’s budget before the key is charged', () => {
    const spent = { key: UNUSED, account: { day: today, used: 3 } };
    const decision = decideCreate(order({ accountQuota: 3 }), spent, null, NOON);
    expect(decision).toMatchObject({ fate: 'quota', limits: { throttle: { remaining: 1 }, quota: { remaining: 0 } } });
    expect(decision.charges).toBe(spent);
    expect(decision.limits.quota.resetSeconds).toBe(43_200);
  });

  it('is refused by the key’s limits before the account is charged', () => {
    const { charges } = decideCreate(order({ accountQuota: 3 }), UNCHARGED, null, NOON);
    const refused = decideCreate(order({ accountQuota: 3 }), charges, null, NOON + 999);
    expect(refused.fate).toBe('throttle');
    expect(refused.charges).toBe(charges);
  });

  it('replays a response without charge, regardless of the limits', () => {
    const spent = { key: { openAt: NOON + 5000, day: today, used: 20 }, account: { day: today, used: 99 } };
    const kept = { fingerprint: print(1), createdAt: NOON - 1 };
    const decision = decideCreate(order({ fingerprint: print(1), accountQuota: 3 }), spent, kept, NOON);
    expect(decision.fate).toBe('replay');
    expect(decision.charges).toBe(spent);
  });

  it('charges for an idempotency key that was used for another request, and deletes it after thirty days', () => {
    const kept = { fingerprint: print(1), createdAt: NOON };
    const other = order({ fingerprint: print(2) });
    expect(decideCreate(other, UNCHARGED, kept, NOON + 1)).toMatchObject({
      fate: 'reuse',
      charges: { key: { used: 1 } },
    });
    expect(decideCreate(other, UNCHARGED, kept, NOON + CACHED_FOR_MS).fate).toBe('make');
  });
});

describe('the budget of an account', () => {
  it('applies to everyone but the owner, and by default equals the sum of the account’s keys', () => {
    const limits = { quota: standardAccountQuota(20), importQuota: 7 };
    expect(quotasOf(true, limits)).toEqual({ links: null, rows: null });
    expect(quotasOf(false, limits)).toEqual({ links: 1000, rows: 7 });
  });

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
