import { describe, expect, it } from 'vitest';
import type { ApiKey } from '../../src/domain/accounts/api-keys.ts';
import { chargeLinks, makeKey, NOON, submission } from '../support/store.ts';
import type { Bench } from './suite.ts';

export function budgetsSuite(bench: Bench): void {
  const spend = (account: number, units: number, max = 10) => chargeLinks(bench.store, account, units, max);
  const left = (account: number, max = 10) => bench.store.quotas.left(account, 'links', max);
  const account = async () => (await bench.store.accounts.create('guest', NOON)).id;
  const twoKeys = async (): Promise<[ApiKey, ApiKey]> => {
    const accountId = await account();
    const [one, other] = [await makeKey(bench.store), await makeKey(bench.store)];
    return [
      { ...one, accountId },
      { ...other, accountId },
    ];
  };

  describe('the budget of an account', () => {
    it('is separate for each account, and for links and import rows', async () => {
      const [one, other] = [await account(), await account()];
      await spend(one, 10);
      expect(await spend(other, 1)).toBe(1);
      expect(await bench.store.quotas.left(one, 'rows', 5)).toMatchObject({ left: 5 });
    });

    it('is never exceeded by simultaneous requests', async () => {
      const id = await account();
      const all = await Promise.all(Array.from({ length: 30 }, () => spend(id, 1)));
      expect(all.filter((charged) => charged === 1)).toHaveLength(10);
    });

    it('is charged for the requests of all its keys, and limits them all', async () => {
      const [one, other] = await twoKeys();
      const submit = (key: ApiKey) => bench.store.createRequests.submit(submission(key, { accountQuota: 5 }));
      expect(await submit(one)).toMatchObject({ kind: 'answered', limits: { quota: { remaining: 4 } } });
      expect(await submit(other)).toMatchObject({ kind: 'answered', limits: { quota: { remaining: 3 } } });
      expect(await spend(one.accountId, 2, 5)).toBe(2);
      const at = { limits: { throttle: 1, quota: 100 }, accountQuota: 5 };
      expect(await bench.store.createRequests.left(one, at)).toMatchObject({ quota: { limit: 100, remaining: 1 } });
      const outcomes = await Promise.all([one, other, one, other].map(submit));
      expect(outcomes.filter(({ kind }) => kind === 'answered')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome.kind === 'refused' && outcome.by === 'quota')).toHaveLength(3);
      expect(await spend(one.accountId, 1, 5)).toBe(0);
    });

    it('is not charged for requests that a limit of the key refuses, or for replays', async () => {
      const [key] = await twoKeys();
      const idempotency = { key: 'a', endpoint: '/', fingerprint: new Uint8Array(32) };
      const asked = submission(key, { limits: { throttle: 1, quota: 1 }, accountQuota: 5, idempotency });
      const kinds = [];
      for (const given of [asked, asked, { ...asked, idempotency: null }]) {
        kinds.push((await bench.store.createRequests.submit(given)).kind);
      }
      expect(kinds).toEqual(['answered', 'replayed', 'refused']);
      expect(await left(key.accountId, 5)).toMatchObject({ left: 4 });
    });
  });
}
