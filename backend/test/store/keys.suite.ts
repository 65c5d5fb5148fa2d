import { describe, expect, it } from 'vitest';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { makeKey, NOON, newKey } from '../support/store.ts';
import type { Bench } from './suite.ts';

export function keysSuite(bench: Bench): void {
  describe('keys', () => {
    it('are found by their hash, as they were created', async () => {
      const hash = new Uint8Array(32).fill(7);
      const made = await bench.store.keys.create({
        accountId: FIRST_ACCOUNT,
        name: 'läptop "1"',
        hash,
        lastFour: 'wxyz',
        createdAt: NOON,
        throttle: 0.5,
        quota: 1000,
        scopes: ['create', 'read'],
        ownLinksOnly: true,
      });
      expect(made).toEqual({
        id: expect.any(Number),
        accountId: FIRST_ACCOUNT,
        name: 'läptop "1"',
        lastFour: 'wxyz',
        createdAt: NOON,
        lastUsedAt: null,
        revokedAt: null,
        disabledAt: null,
        throttle: 0.5,
        quota: 1000,
        scopes: ['create', 'read'],
        ownLinksOnly: true,
      });
      expect(await bench.store.keys.find(hash)).toEqual(made);
      expect(await bench.store.keys.list()).toEqual([made]);
      expect(await bench.store.keys.find(new Uint8Array(32).fill(8))).toBeNull();
    });

    it('cannot have the same hash', async () => {
      const { hash } = newKey();
      await makeKey(bench.store, { hash });
      await expect(makeKey(bench.store, { hash })).rejects.toThrow();
    });

    it('are created up to the account’s maximum, even at the same time; recently revoked keys count', async () => {
      const other = await bench.store.accounts.create('other', NOON);
      const within = (accountId: number, byte: number, revokedSince = NOON) => {
        const key = newKey(new Uint8Array(32).fill(byte));
        return bench.store.keys.createFromForm({ ...key, accountId }, { submission: null, max: 3, revokedSince });
      };
      const made = await Promise.all(Array.from({ length: 10 }, (_, at) => within(FIRST_ACCOUNT, at)));
      const [first, ...more] = made.filter((key) => key !== null && key !== 'repeated');
      expect(more).toHaveLength(2);
      expect(await bench.store.keys.list()).toHaveLength(3);
      expect(await within(other.id, 100)).toMatchObject({ accountId: other.id, lastFour: 'abcd' });
      await bench.store.keys.revoke(first?.id as number, NOON);
      expect(await within(FIRST_ACCOUNT, 101, NOON)).toBeNull();
      expect(await within(FIRST_ACCOUNT, 101, NOON + 1)).toMatchObject({ accountId: FIRST_ACCOUNT });
    });

    it('keep their permissions when they are changed', async () => {
      const { id } = await makeKey(bench.store, { scopes: ['read'], ownLinksOnly: true });
      await bench.store.keys.change(FIRST_ACCOUNT, id, { name: 'renamed', throttle: null, quota: null });
      expect(await bench.store.keys.list()).toMatchObject([{ name: 'renamed', scopes: ['read'], ownLinksOnly: true }]);
    });

    it('are revoked once, and are still listed', async () => {
      const { id } = await makeKey(bench.store);
      expect(await bench.store.keys.revoke(id, NOON + 1)).toBe(true);
      expect(await bench.store.keys.revoke(id, NOON + 2)).toBe(true);
      expect(await bench.store.keys.revoke(id + 1, NOON)).toBe(false);
      expect(await bench.store.keys.list()).toMatchObject([{ id, revokedAt: NOON + 1 }]);
    });
  });
}
