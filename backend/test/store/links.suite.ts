import { describe, expect, it } from 'vitest';
import { createLinkCache } from '../../src/redirects/link-cache.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { codesOf, link, linksOf, makeKey, NOON, submission, targetOf } from '../support/store.ts';
import type { Bench } from './suite.ts';

export function linksSuite(bench: Bench): void {
  const make = async (...codes: string[]) =>
    bench.store.createRequests.submit(submission(await makeKey(bench.store), { links: [link(codes)] }));

  describe('links', () => {
    it('resolve to exactly the URL that was stored', async () => {
      const url = 'https://example.com/%F0%9F%90%91?q=1&q=%27#frag';
      const links = [link(['sheep'], { url, title: 'Ein "Schaf" 🐑 <b>', expiresAt: NOON + 1 })];
      const outcome = await bench.store.createRequests.submit(submission(await makeKey(bench.store), { links }));
      expect(await targetOf(bench.store, 'sheep')).toEqual({
        id: expect.any(Number),
        url,
        expiresAt: NOON + 1,
        deletedAt: null,
        forwardQuery: null,
      });
      const shown = { code: 'sheep', url, title: 'Ein "Schaf" 🐑 <b>', createdAt: NOON, expiresAt: NOON + 1 };
      expect(linksOf(outcome)).toMatchObject([shown]);
      expect(await bench.store.links.find(FIRST_ACCOUNT, 'sheep')).toMatchObject(shown);
    });

    it('are case-sensitive, and unknown codes return nothing', async () => {
      await make('abcdefg');
      expect(await targetOf(bench.store, 'ABCDEFG')).toBeNull();
      expect(await targetOf(bench.store, "' OR 1=1 --")).toBeNull();
      expect(await bench.store.links.find(FIRST_ACCOUNT, 'abcdefg\0')).toBeNull();
    });

    it('report the codes that changed since a point in time, if there are few', async () => {
      const { links } = bench.store;
      const codes = Array.from({ length: 12 }, (_, at) => `code-${at}`);
      for (const code of codes) await make(code);
      const before = await links.changesSince(null);
      expect(before.codes).toBeNull();
      expect(await links.changesSince(before.changes)).toEqual({ ...before, codes: [] });
      await links.edit(FIRST_ACCOUNT, 'code-0', { title: 'New' });
      await links.edit(FIRST_ACCOUNT, 'nobodys', { title: 'New' });
      await links.removeAll(FIRST_ACCOUNT, ['code-1', 'code-2'], NOON, NOON + 9);
      await links.restoreAll(FIRST_ACCOUNT, { deletedAt: NOON, now: NOON }, 9);
      await links.takeDown('code-3', NOON);
      const now = await links.changesSince(before.changes);
      expect(now.changes).toBe(before.changes + 4);
      expect(now.codes?.toSorted()).toEqual(['code-0', 'code-1', 'code-1', 'code-2', 'code-2', 'code-3']);
      await links.forgetChanges();
      expect((await links.changesSince(before.changes)).codes).toHaveLength(6);
      await links.forgetChanges(2);
      expect((await links.changesSince(before.changes)).codes).toBeNull();
      expect((await links.changesSince(now.changes - 2)).codes).toHaveLength(3);

      // The number of changes comes from another state of the database, for example from before a restore.
      expect((await links.changesSince(now.changes + 5)).codes).toBeNull();
      const many = Array.from({ length: 2001 }, (_, at) => `many-${at}`);
      await bench.store.createRequests.submit(
        submission(await makeKey(bench.store, { quota: 9999 }), { links: many.map((code) => link([code])) }),
      );
      for (let at = 0; at < many.length; at += 500)
        await links.removeAll(FIRST_ACCOUNT, many.slice(at, at + 500), NOON, NOON);
      expect((await links.changesSince(now.changes)).codes).toBeNull();
      const late = await links.changesSince(now.changes + 1);
      expect([late.changes, late.codes?.length]).toEqual([now.changes + 5, 1501]);
    });

    it('get the first free code', async () => {
      await make('one');
      expect(codesOf(await make('one', 'two', 'three'))).toEqual(['two']);
      expect(codesOf(await make('one', 'two'))).toEqual([null]);
    });

    it('with the same code are created once, even at the same time', async () => {
      const outcomes = await Promise.all(Array.from({ length: 40 }, () => make('wanted')));
      const codes = outcomes.flatMap(codesOf);
      expect(codes.toSorted()).toEqual(['wanted', ...Array(39).fill(null)].toSorted());
    });

    it('are deleted once, by their own account, and keep their code forever', async () => {
      await make('gone');
      expect(await bench.store.links.remove(FIRST_ACCOUNT + 1, 'gone', NOON)).toBe(false);
      expect(await bench.store.links.remove(FIRST_ACCOUNT, 'gone', NOON + 9)).toBe(true);
      expect(await bench.store.links.remove(FIRST_ACCOUNT, 'gone', NOON + 10)).toBe(false);
      expect(await targetOf(bench.store, 'gone')).toMatchObject({ deletedAt: NOON + 9 });
      expect(codesOf(await make('gone'))).toEqual([null]);
    });
  });

  describe('the link cache', () => {
    it('returns links that were requested before, and drops them on request', async () => {
      await make('known');
      const cache = createLinkCache(bench.store.links, { most: 100 });
      await cache.fetch('first');
      expect(cache.peek('known')).toBeUndefined();
      const target = await cache.fetch('known');
      expect(cache.peek('known')).toEqual(target);
      cache.forget('known');
      expect(cache.peek('known')).toBeUndefined();
    });

    it('notices within a second if another process deletes a link', async () => {
      await make('short-lived');
      let now = 5000;
      const cache = createLinkCache(bench.store.links, { most: 100, monotonic: () => now });
      for (const code of ['first', 'short-lived']) await cache.fetch(code);
      expect(cache.peek('short-lived')).not.toBeUndefined();
      const other = await bench.database.open();
      await other.links.remove(FIRST_ACCOUNT, 'short-lived', NOON);
      await other.close();
      now += 999;
      expect(cache.peek('short-lived')).toBeUndefined();
      expect(await cache.fetch('short-lived')).toMatchObject({ deletedAt: NOON });
    });

    it('counts the age of a link from before its lookup', async () => {
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
      const cache = createLinkCache(slow, { most: 100, monotonic: () => now });
      for (const code of ['first', 'slow']) await cache.fetch(code);
      expect(cache.peek('slow')).toBeUndefined();
    });

    it('contains a maximum number of links: the least recently used is removed, and is found again', async () => {
      const codes = Array.from({ length: 101 }, (_, at) => `code${at}`);
      const none = { url: '', expiresAt: null, deletedAt: null, forwardQuery: null };
      const resolve = async (code: string) => ({ ...none, id: Number(code.slice(4)) + 1 });
      const cache = createLinkCache({ ...bench.store.links, resolve }, { most: 100, monotonic: () => 0 });
      await cache.fetch('code0');
      for (const code of codes) await cache.fetch(code);
      expect(codes.filter((code) => !cache.peek(code))).toEqual(['code0']);
      await cache.fetch('code0');
      expect(codes.filter((code) => !cache.peek(code))).toEqual(['code1']);
    });

    it('does not cache a link that was dropped during its lookup', async () => {
      await make('dropped');
      const forgetting = createLinkCache(
        {
          ...bench.store.links,
          async resolve(codes) {
            const targets = await bench.store.links.resolve(codes);
            forgetting.forget('dropped');
            return targets;
          },
        },
        { most: 100, monotonic: () => 0 },
      );
      for (let time = 0; time < 3; time += 1) await forgetting.fetch('dropped');
      expect(forgetting.peek('dropped')).toBeUndefined();
    });

    it('reports a failure, and queries again for the next caller', async () => {
      await make('kept');
      let failures = 1;
      const failing = {
        ...bench.store.links,
        async resolve(code: string) {
          failures -= 1;
          if (failures >= 0) throw new Error('out of reach');
          return bench.store.links.resolve(code);
        },
      };
      const cache = createLinkCache(failing, { most: 100, monotonic: () => 0 });
      await expect(cache.fetch('kept')).rejects.toThrow('out of reach');
      expect(await cache.fetch('kept')).not.toBeNull();
    });

    it('does not cache unknown codes, so that a new link works at once', async () => {
      const cache = createLinkCache(bench.store.links, { most: 100 });
      expect(await cache.fetch('fresh')).toBeNull();
      await make('fresh');
      expect(cache.peek('fresh')).toBeUndefined();
      expect(await cache.fetch('fresh')).not.toBeNull();
    });
  });
}
