import { describe, expect, it } from 'vitest';
import { KEPT_FOR } from '../../src/domain/idempotency.ts';
import { link, makeKey, NOON, submission, targetOf } from '../support/store.ts';
import type { Bench } from './suite.ts';

const REAL = { throttle: 1, quota: 20 };
const print = (byte: number) => new Uint8Array(32).fill(byte);
const once = (key: string, byte = 1, endpoint = '/api/shorten') => ({ key, endpoint, fingerprint: print(byte) });

export function submissionsSuite(bench: Bench): void {
  const submit: Bench['store']['submissions']['submit'] = (...given) => bench.store.submissions.submit(...given);

  describe('limits', () => {
    it('hold a key to its throttle and its quota, and charge no refusal', async () => {
      const key = await makeKey(bench.store);
      const send = (now: number) => submit(submission(key, { limits: { throttle: 1, quota: 2 }, now }));
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

    it('open again a second after the clock was set back', async () => {
      const key = await makeKey(bench.store);
      const send = (now: number) => submit(submission(key, { limits: REAL, now }));
      const [first, refused] = [await send(NOON), await send(NOON - 60_000)];
      expect([first.kind, refused.kind]).toEqual(['answered', 'refused']);
      expect(await send(NOON - 59_000)).toMatchObject({ kind: 'answered' });
    });

    it('are remembered and can be asked for', async () => {
      const key = await makeKey(bench.store);
      expect(await bench.store.keys.limitState(key.id)).toBeNull();
      await submit(submission(key, { limits: REAL }));
      const day = Math.floor(NOON / 86_400_000);
      expect(await bench.store.keys.limitState(key.id)).toEqual({ openAt: NOON + 1000, day, used: 1 });
    });

    it('are each key’s own', async () => {
      const [one, other] = [await makeKey(bench.store), await makeKey(bench.store)];
      await submit(submission(one, { limits: REAL }));
      expect(await submit(submission(other, { limits: REAL }))).toMatchObject({ kind: 'answered' });
    });

    it('let exactly one of fifty through when one unit is left', async () => {
      const key = await makeKey(bench.store);
      await submit(submission(key));
      const all = Array.from({ length: 50 }, (_, at) =>
        submit(
          submission(key, { now: NOON + 1, limits: { throttle: 100_000, quota: 2 }, links: [link([`code${at}`])] }),
        ),
      );
      const outcomes = await Promise.all(all);
      expect(outcomes.filter(({ kind }) => kind === 'answered')).toHaveLength(1);
      expect(outcomes.filter(({ kind }) => kind === 'refused')).toHaveLength(49);
      const made = await bench.store.links.resolve(all.map((_, at) => `code${at}`));
      expect(made.filter(Boolean)).toHaveLength(1);
    });
  });

  describe('idempotency', () => {
    it('makes one link of twenty twins at once, and gives all the same answer', async () => {
      const key = await makeKey(bench.store);
      await submit(submission(key, { limits: REAL, now: NOON - 1000 }));
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          submit(submission(key, { limits: REAL, idempotency: once('twin'), links: [link([`twin${at}`])] })),
        ),
      );
      expect(outcomes.filter(({ kind }) => kind === 'answered')).toHaveLength(1);
      expect(outcomes.filter(({ kind }) => kind === 'replayed')).toHaveLength(19);
      expect(new Set(outcomes.map((outcome) => 'answer' in outcome && outcome.answer.body)).size).toBe(1);
    });

    it('replays status, body and location, before the limits and at no charge', async () => {
      const key = await makeKey(bench.store);
      const answer = { status: 201, body: '{"a":"ä"}', location: '/x' };
      const first = submission(key, {
        limits: { throttle: 1, quota: 1 },
        idempotency: once('a'),
        answer: () => answer,
      });
      await submit(first);
      const again = await submit({ ...first, answer: () => ({ ...answer, status: 500 }) });
      expect(again).toMatchObject({ kind: 'replayed', answer, limits: { quota: { remaining: 0 } } });
    });

    it('refuses the key for another body, which counts', async () => {
      const key = await makeKey(bench.store);
      await submit(submission(key, { idempotency: once('a', 1) }));
      const reused = submission(key, {
        limits: { throttle: 1000, quota: 2 },
        now: NOON + 1000,
        idempotency: once('a', 2),
      });
      expect(await submit(reused)).toMatchObject({ kind: 'reused', limits: { quota: { remaining: 0 } } });
      expect(await submit(reused)).toMatchObject({ kind: 'refused', by: 'quota' });
    });

    it('keeps keys and endpoints apart', async () => {
      const [one, other] = [await makeKey(bench.store), await makeKey(bench.store)];
      await submit(submission(one, { idempotency: once('a') }));
      expect(await submit(submission(other, { idempotency: once('a') }))).toMatchObject({ kind: 'answered' });
      const elsewhere = submission(one, { idempotency: once('a', 1, '/api/v1/urls') });
      expect(await submit(elsewhere)).toMatchObject({ kind: 'answered' });
    });

    it('keeps no answer of a limit', async () => {
      const key = await makeKey(bench.store);
      await submit(submission(key, { limits: REAL }));
      const twice = submission(key, { limits: REAL, idempotency: once('a') });
      expect(await submit(twice)).toMatchObject({ kind: 'refused' });
      expect(await submit({ ...twice, now: NOON + 1000 })).toMatchObject({ kind: 'answered' });
    });

    it('lasts thirty days', async () => {
      const key = await makeKey(bench.store);
      const at = (now: number) => submit(submission(key, { now, idempotency: once('a') }));
      await at(NOON);
      expect(await at(NOON + KEPT_FOR - 1)).toMatchObject({ kind: 'replayed' });
      expect(await at(NOON + KEPT_FOR)).toMatchObject({ kind: 'answered' });
      expect(await at(NOON + KEPT_FOR + 1)).toMatchObject({ kind: 'replayed' });
    });

    it('forgets what is old and nothing else', async () => {
      const key = await makeKey(bench.store);
      for (const [at, name] of ['a', 'b', 'c'].entries()) {
        await submit(submission(key, { now: NOON + at, idempotency: once(name) }));
      }
      expect(await bench.store.submissions.forget(NOON + 1)).toBe(2);
      const now = NOON + 3;
      expect(await submit(submission(key, { now, idempotency: once('a') }))).toMatchObject({ kind: 'answered' });
      expect(await submit(submission(key, { now, idempotency: once('c') }))).toMatchObject({ kind: 'replayed' });
    });
  });

  describe('a submission', () => {
    it('that fails leaves nothing behind, and does not disturb the ones beside it', async () => {
      const key = await makeKey(bench.store);
      const limits = { throttle: 100_000, quota: 10 };
      const fails = submission(key, {
        limits,
        idempotency: once('fails'),
        links: [link(['undone'])],
        answer() {
          throw new Error('on purpose');
        },
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
      expect(await bench.store.keys.limitState(key.id)).toMatchObject({ used: 2 });
      const retry = submission(key, { idempotency: once('fails'), links: [link(['undone'])] });
      expect(await submit(retry)).toMatchObject({ kind: 'answered', answer: { body: '["undone"]' } });
    });

    it('is judged by its own key, limits and idempotency key, whatever comes with it at once', async () => {
      const [one, two] = [await makeKey(bench.store), await makeKey(bench.store)];
      const limits = { throttle: 100_000, quota: 2 };
      const links = (code: string) => [link([code]), link([`${code}-more`])];
      const outcomes = await Promise.all([
        submit(submission(one, { limits, links: links('first') })),
        submit(submission(two, { idempotency: once('a', 1), links: links('kept') })),
        submit(submission(one, { limits, now: NOON + 1, links: links('second') })),
        submit(submission(two, { idempotency: once('a', 2), now: NOON + 1, links: links('never') })),
        submit(submission(one, { limits, now: NOON + 2, links: links('late') })),
        submit(submission(two, { idempotency: once('a', 1), now: NOON + 2, links: links('twin') })),
        submit(submission(two, { now: NOON + 3, links: [] })),
        submit(submission(two, { now: NOON + 4, links: [link(['first']), link(['last'])] })),
      ]);
      const body = (...codes: (string | null)[]) => ({ answer: { body: JSON.stringify(codes) } });
      expect(outcomes).toMatchObject([
        { kind: 'answered', ...body('first', 'first-more'), limits: { quota: { remaining: 1 } } },
        { kind: 'answered', ...body('kept', 'kept-more') },
        { kind: 'answered', ...body('second', 'second-more'), limits: { quota: { remaining: 0 } } },
        { kind: 'reused' },
        { kind: 'refused', by: 'quota' },
        { kind: 'replayed', ...body('kept', 'kept-more') },
        { kind: 'answered', ...body() },
        { kind: 'answered', ...body(null, 'last') },
      ]);
      expect(await bench.store.keys.limitState(one.id)).toMatchObject({ used: 2 });
      expect(await bench.store.keys.limitState(two.id)).toMatchObject({ used: 4 });
      for (const code of ['never', 'late', 'twin']) expect(await targetOf(bench.store, code)).toBeNull();
    });

    it('takes the place of its twin that failed', async () => {
      const key = await makeKey(bench.store);
      const idempotency = once('twin');
      const fails = submission(key, {
        idempotency,
        links: [link(['one'])],
        answer() {
          throw new Error('on purpose');
        },
      });
      const works = submission(key, { idempotency, links: [link(['two'])] });
      const results = await Promise.allSettled([submit(fails), submit(works), submit(works)]);
      expect(results).toMatchObject([
        { status: 'rejected' },
        { value: { kind: 'answered', answer: { body: '["two"]' } } },
        { value: { kind: 'replayed', answer: { body: '["two"]' } } },
      ]);
      expect(await targetOf(bench.store, 'one')).toBeNull();
      expect(await bench.store.keys.limitState(key.id)).toMatchObject({ used: 1 });
    });

    it('of many links keeps their order and costs one unit', async () => {
      const key = await makeKey(bench.store);
      const links = [link(['aaa']), link(['aaa']), link(['bbb'])];
      const outcome = await submit(submission(key, { links, limits: { throttle: 1, quota: 5 } }));
      expect(outcome).toMatchObject({ answer: { body: '["aaa",null,"bbb"]' }, limits: { quota: { remaining: 4 } } });
    });
  });
}
