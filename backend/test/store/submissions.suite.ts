import { describe, expect, it } from 'vitest';
import type { ApiKey } from '../../src/domain/accounts/api-keys.ts';
import type { CreateOutcome, CreateRequest } from '../../src/store/sql/create-request.ts';
import { chargeLinks, codesOf, link, makeKey, NOON, quotaLeft, submission, targetOf } from '../support/store.ts';
import type { Bench } from './suite.ts';

const print = (byte: number) => new Uint8Array(32).fill(byte);
const once = (key: string, byte = 1, endpoint = '/api/shorten') => ({ key, endpoint, fingerprint: print(byte) });

/** An iterator that throws, like the code generator when it finds no free code. */
const failing: Iterable<string> = {
  [Symbol.iterator]() {
    throw new Error('on purpose');
  },
};

export function submissionsSuite(bench: Bench): void {
  const submit = (given: CreateRequest) => bench.store.createRequests.submit(given);

  describe('a create request', () => {
    it('that fails leaves nothing behind and does not affect others at the same time', async () => {
      const key = await makeKey(bench.store);
      const limits = { throttle: 100_000, quota: 10 };
      const fails = submission(key, {
        limits,
        idempotency: once('fails'),
        links: [link(['undone']), link(failing)],
      });
      const results = await Promise.allSettled([
        submit(submission(key, { limits, links: [link(['before'])] })),
        submit(fails),
        submit(submission(key, { limits, links: [link(['after'])] })),
      ]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await targetOf(bench.store, 'before')).not.toBeNull();
      expect(await targetOf(bench.store, 'undone')).toBeNull();
      expect(await targetOf(bench.store, 'after')).not.toBeNull();
      expect(await quotaLeft(bench.store, key, 10)).toBe(8);
      const retry = submission(key, { idempotency: once('fails'), links: [link(['undone'])] });
      expect(codesOf(await submit(retry))).toEqual(['undone']);
    });

    it('depends only on its own key, limits and idempotency key, not on simultaneous requests', async () => {
      const [one, two] = [await makeKey(bench.store), await makeKey(bench.store)];
      const limits = { throttle: 100_000, quota: 2 };
      const links = (code: string) => [link([code]), link([`${code}-more`])];
      const ofOne = ['a', 'b', 'c'].map((code) => submit(submission(one, { limits, links: links(code) })));
      const repeated = ['d', 'e'].map((code) =>
        submit(submission(two, { idempotency: once('a'), links: links(code) })),
      );
      const others = [submit(submission(two, { links: [] })), submit(submission(two, { links: links('f') }))];
      const kinds = async (outcomes: Promise<CreateOutcome>[]) =>
        (await Promise.all(outcomes)).map(({ kind }) => kind).sort();
      expect(await kinds(ofOne)).toEqual(['answered', 'answered', 'refused']);
      expect(await kinds(repeated)).toEqual(['answered', 'replayed']);
      expect(await kinds(others)).toEqual(['answered', 'answered']);
      const made = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((code) => targetOf(bench.store, code)));
      expect(made.filter(Boolean)).toHaveLength(4);
      expect(await quotaLeft(bench.store, one, 10)).toBe(8);
      expect(await quotaLeft(bench.store, two, 10)).toBe(7);
    });

    it('runs if an identical request failed', async () => {
      const key = await makeKey(bench.store);
      const idempotency = once('twin');
      const fails = submission(key, { idempotency, links: [link(['one']), link(failing)] });
      const works = submission(key, { idempotency, links: [link(['two'])] });
      await expect(submit(fails)).rejects.toThrow('on purpose');
      const outcomes = await Promise.all([submit(works), submit(works)]);
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['answered', 'replayed']);
      expect(outcomes.map(codesOf)).toEqual([['two'], ['two']]);
      expect(await targetOf(bench.store, 'one')).toBeNull();
      expect(await quotaLeft(bench.store, key, 10)).toBe(9);
    });
  });

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
