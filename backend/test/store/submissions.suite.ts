import { describe, expect, it } from 'vitest';
import { CACHED_FOR_MS } from '../../src/domain/limits/create-requests.ts';
import type { CreateOutcome, CreateRequest, JsonResponse } from '../../src/store/sql/create-request.ts';
import { codesOf, link, linksOf, makeKey, NOON, quotaLeft, submission, targetOf } from '../support/store.ts';
import type { Bench } from './suite.ts';

const REAL = { throttle: 1, quota: 20 };
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
  const submitAt = (now: number, given: CreateRequest) => {
    bench.clock.now = now;
    return submit(given);
  };

  describe('limits', () => {
    it('enforce a key’s throttle and quota, and charge nothing for refused requests', async () => {
      const key = await makeKey(bench.store);
      const send = (now: number) => submitAt(now, submission(key, { limits: { throttle: 1, quota: 2 } }));
      expect(await send(NOON)).toMatchObject({ kind: 'answered', limits: { quota: { remaining: 1 } } });
      expect(await send(NOON + 999)).toMatchObject({
        kind: 'refused',
        by: 'throttle',
        limits: { quota: { remaining: 1 } },
      });
      expect(await send(NOON + 1000)).toMatchObject({ kind: 'answered', limits: { quota: { remaining: 0 } } });
      expect(await send(NOON + 9000)).toMatchObject({ kind: 'refused', by: 'quota' });
      expect(await send(NOON + 86_400_000)).toMatchObject({ kind: 'answered' });
    });

    it('allow a request a second after the clock was set back', async () => {
      const key = await makeKey(bench.store);
      const send = (now: number) => submitAt(now, submission(key, { limits: REAL }));
      const [first, refused] = [await send(NOON), await send(NOON - 60_000)];
      expect([first.kind, refused.kind]).toEqual(['answered', 'refused']);
      expect(await send(NOON - 59_000)).toMatchObject({ kind: 'answered' });
    });

    it('can be read without charging a request', async () => {
      const key = await makeKey(bench.store);
      const left = () => bench.store.createRequests.left(key, { limits: REAL, accountQuota: null });
      expect(await left()).toMatchObject({ throttle: { remaining: 1 }, quota: { remaining: 20 } });
      const { limits } = await submit(submission(key, { limits: REAL }));
      expect(limits).toMatchObject({ throttle: { remaining: 0, resetSeconds: 1 }, quota: { remaining: 19 } });
      expect(await left()).toEqual(limits);
    });

    it('allow a burst of one second, for throttles above one per second', async () => {
      const key = await makeKey(bench.store);
      const limits = { throttle: 5, quota: 100 };
      const outcomes = await Promise.all(Array.from({ length: 6 }, () => submit(submission(key, { limits }))));
      expect(outcomes.filter(({ kind }) => kind === 'answered')).toHaveLength(5);
      expect(outcomes.find(({ kind }) => kind === 'refused')).toMatchObject({ by: 'throttle' });
      expect(await submitAt(NOON + 200, submission(key, { limits }))).toMatchObject({ kind: 'answered' });
      expect(await submit(submission(key, { limits }))).toMatchObject({ kind: 'refused' });
    });

    it('are separate for each key', async () => {
      const [one, other] = [await makeKey(bench.store), await makeKey(bench.store)];
      await submit(submission(one, { limits: REAL }));
      expect(await submit(submission(other, { limits: REAL }))).toMatchObject({ kind: 'answered' });
    });

    it('allow exactly one of fifty requests if one is left', async () => {
      const key = await makeKey(bench.store);
      await submit(submission(key));
      const all = Array.from({ length: 50 }, (_, at) =>
        submit(submission(key, { limits: { throttle: 100_000, quota: 2 }, links: [link([`code${at}`])] })),
      );
      const outcomes = await Promise.all(all);
      expect(outcomes.filter(({ kind }) => kind === 'answered')).toHaveLength(1);
      expect(outcomes.filter(({ kind }) => kind === 'refused')).toHaveLength(49);
      const made = await Promise.all(all.map((_, at) => targetOf(bench.store, `code${at}`)));
      expect(made.filter(Boolean)).toHaveLength(1);
    });
  });

  describe('idempotency', () => {
    it('creates one link for twenty simultaneous identical requests, and returns the same response to all', async () => {
      const key = await makeKey(bench.store);
      await submitAt(NOON - 1000, submission(key, { limits: REAL }));
      bench.clock.now = NOON;
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          submit(submission(key, { limits: REAL, idempotency: once('twin'), links: [link([`twin${at}`])] })),
        ),
      );
      expect(outcomes.filter(({ kind }) => kind === 'answered')).toHaveLength(1);
      expect(outcomes.filter(({ kind }) => kind === 'replayed')).toHaveLength(19);
      expect(new Set(outcomes.flatMap(codesOf)).size).toBe(1);
    });

    it('replays the stored response before the limits are checked, without charge', async () => {
      const key = await makeKey(bench.store);
      const links = [link(['kept'], { title: 'ä' }), link(['kept'])];
      const limits = { throttle: 1, quota: 1 };
      const first = submission(key, { limits, idempotency: once('a'), links });
      const outcome = await submit(first);
      expect(linksOf(outcome)).toMatchObject([{ code: 'kept', title: 'ä', createdAt: NOON }, 'taken']);
      await bench.store.links.edit(key.accountId, 'kept', { title: 'another' });
      const again = await submit({ ...first, respond: async () => ({ status: 500, body: '', location: null }) });
      const { response } = outcome as { response: JsonResponse };
      expect(again).toMatchObject({ kind: 'replayed', response, limits: { quota: { remaining: 0 } } });
    });

    it('refuses the key for another body, and charges that request', async () => {
      const key = await makeKey(bench.store);
      await submit(submission(key, { idempotency: once('a', 1) }));
      const reused = submission(key, {
        limits: { throttle: 1000, quota: 2 },
        idempotency: once('a', 2),
      });
      expect(await submit(reused)).toMatchObject({ kind: 'reused', limits: { quota: { remaining: 0 } } });
      expect(await submit(reused)).toMatchObject({ kind: 'refused', by: 'quota' });
    });

    it('is separate for each API key and endpoint', async () => {
      const [one, other] = [await makeKey(bench.store), await makeKey(bench.store)];
      await submit(submission(one, { idempotency: once('a') }));
      expect(await submit(submission(other, { idempotency: once('a') }))).toMatchObject({ kind: 'answered' });
      const elsewhere = submission(one, { idempotency: once('a', 1, '/api/v1/urls') });
      expect(await submit(elsewhere)).toMatchObject({ kind: 'answered' });
    });

    it('caches no responses of a request that a limit refused', async () => {
      const key = await makeKey(bench.store);
      await submit(submission(key, { limits: REAL }));
      const twice = submission(key, { limits: REAL, idempotency: once('a') });
      expect(await submit(twice)).toMatchObject({ kind: 'refused' });
      expect(await submitAt(NOON + 1000, twice)).toMatchObject({ kind: 'answered' });
    });

    it('replays a response for thirty days', async () => {
      const key = await makeKey(bench.store);
      const at = (now: number) => submitAt(now, submission(key, { idempotency: once('a') }));
      await at(NOON);
      expect(await at(NOON + CACHED_FOR_MS - 1)).toMatchObject({ kind: 'replayed' });
      expect(await at(NOON + CACHED_FOR_MS)).toMatchObject({ kind: 'answered' });
      expect(await at(NOON + CACHED_FOR_MS + 1)).toMatchObject({ kind: 'replayed' });
    });

    it('deletes only expired responses', async () => {
      const key = await makeKey(bench.store);
      for (const [at, name] of ['a', 'b', 'c'].entries()) {
        await submitAt(NOON + at, submission(key, { idempotency: once(name) }));
      }
      expect(await bench.store.createRequests.forget(NOON + 1)).toBe(2);
      expect(await submit(submission(key, { idempotency: once('a') }))).toMatchObject({ kind: 'answered' });
      expect(await submit(submission(key, { idempotency: once('c') }))).toMatchObject({ kind: 'replayed' });
    });
  });

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
      const fails = submission(key, {
        idempotency,
        links: [link(['one']), link(failing)],
      });
      const works = submission(key, { idempotency, links: [link(['two'])] });
      await expect(submit(fails)).rejects.toThrow('on purpose');
      const outcomes = await Promise.all([submit(works), submit(works)]);
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['answered', 'replayed']);
      expect(outcomes.map(codesOf)).toEqual([['two'], ['two']]);
      expect(await targetOf(bench.store, 'one')).toBeNull();
      expect(await quotaLeft(bench.store, key, 10)).toBe(9);
    });

    it('for many links keeps their order and is charged once', async () => {
      const key = await makeKey(bench.store);
      const links = [link(['aaa']), link(['aaa']), link(['bbb'])];
      const outcome = await submit(submission(key, { links, limits: { throttle: 1, quota: 5 } }));
      expect(codesOf(outcome)).toEqual(['aaa', null, 'bbb']);
      expect(outcome.limits.quota.remaining).toBe(4);
    });
  });
}
