import { describe, expect, it } from 'vitest';
import { createLinkCache } from '../../src/store/link-cache.ts';
import { FIRST_ACCOUNT, type StoredLink } from '../../src/store/store.ts';
import { link, makeKey, NOON, submission } from '../support/store.ts';
import type { Bench } from './suite.ts';

export function linksSuite(bench: Bench): void {
  const make = async (...codes: string[]) =>
    bench.store.submissions.submit(submission(await makeKey(bench.store), { links: [link(codes)] }));

  describe('links', () => {
    it('resolve to exactly what was stored', async () => {
      const url = 'https://example.com/%F0%9F%90%91?q=1&q=%27#frag';
      const seen: (StoredLink | null)[] = [];
      const links = [link(['sheep'], { url, title: 'Ein "Schaf" 🐑 <b>', expiresAt: NOON + 1 })];
      const answer = (made: (StoredLink | null)[]) => {
        seen.push(...made);
        return { status: 200, body: '', location: null };
      };
      await bench.store.submissions.submit(submission(await makeKey(bench.store), { links, answer }));
      expect(await bench.store.links.resolve('sheep')).toEqual({
        id: expect.any(Number),
        url,
        expiresAt: NOON + 1,
        deletedAt: null,
      });
      expect(seen).toMatchObject([{ code: 'sheep', url, title: 'Ein "Schaf" 🐑 <b>', accountId: FIRST_ACCOUNT }]);
    });

    it('are told apart by case, and unknown ones are unknown', async () => {
      await make('abcdefg');
      expect(await bench.store.links.resolve('ABCDEFG')).toBeNull();
      expect(await bench.store.links.resolve("' OR 1=1 --")).toBeNull();
      expect(await bench.store.links.find(FIRST_ACCOUNT, 'abcdefg\0')).toBeNull();
    });

    it('take the first code that is free', async () => {
      await make('one');
      expect(await make('one', 'two', 'three')).toMatchObject({ answer: { body: '["two"]' } });
      expect(await make('one', 'two')).toMatchObject({ answer: { body: '[null]' } });
    });

    it('asked for one code at once by many are made once', async () => {
      const outcomes = await Promise.all(Array.from({ length: 40 }, () => make('wanted')));
      const bodies = outcomes.map((outcome) => 'answer' in outcome && outcome.answer.body);
      expect(bodies.filter((body) => body === '["wanted"]')).toHaveLength(1);
      expect(bodies.filter((body) => body === '[null]')).toHaveLength(39);
    });

    it('are deleted by their own account alone, once, and keep their code for ever', async () => {
      await make('gone');
      expect(await bench.store.links.remove(FIRST_ACCOUNT + 1, 'gone', NOON)).toBe(false);
      expect(await bench.store.links.remove(FIRST_ACCOUNT, 'gone', NOON + 9)).toBe(true);
      expect(await bench.store.links.remove(FIRST_ACCOUNT, 'gone', NOON + 10)).toBe(false);
      expect(await bench.store.links.resolve('gone')).toMatchObject({ deletedAt: NOON + 9 });
      expect(await make('gone')).toMatchObject({ answer: { body: '[null]' } });
    });
  });

  describe('the cache of links', () => {
    it('answers what was asked before, and drops what it is told to', async () => {
      await make('known');
      const cache = createLinkCache(bench.store.links);
      expect(cache.peek('known')).toBeUndefined();
      const target = await cache.fetch('known');
      expect(cache.peek('known')).toEqual(target);
      cache.forget('known');
      expect(cache.peek('known')).toBeUndefined();
    });

    it('notices within a second what another process deleted', async () => {
      await make('short-lived');
      let now = 5000;
      const cache = createLinkCache(bench.store.links, () => now);
      await cache.fetch('short-lived');
      const other = await bench.database.open();
      await other.links.remove(FIRST_ACCOUNT, 'short-lived', NOON);
      await other.close();
      now += 999;
      expect(cache.peek('short-lived')).toBeUndefined();
      expect(await cache.fetch('short-lived')).toMatchObject({ deletedAt: NOON });
    });

    it('counts the age of a link from before it was looked up', async () => {
      await make('slow');
      let now = 5000;
      const slow = {
        ...bench.store.links,
        async resolve(code: string) {
          const target = await bench.store.links.resolve(code);
          now += 950;
          return target;
        },
      };
      const cache = createLinkCache(slow, () => now);
      await cache.fetch('slow');
      expect(cache.peek('slow')).toBeUndefined();
    });

    it('does not keep what is unknown, so that a new link is there at once', async () => {
      const cache = createLinkCache(bench.store.links);
      expect(await cache.fetch('fresh')).toBeNull();
      await make('fresh');
      expect(cache.peek('fresh')).toBeUndefined();
      expect(await cache.fetch('fresh')).not.toBeNull();
    });
  });
}
