import { describe, expect, it } from 'vitest';
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
      expect(await bench.store.links.remove(FIRST_ACCOUNT + 1, ['gone'], NOON)).toEqual([]);
      expect(await bench.store.links.remove(FIRST_ACCOUNT, ['gone'], NOON + 9)).toEqual(['gone']);
      expect(await bench.store.links.remove(FIRST_ACCOUNT, ['gone'], NOON + 10)).toEqual([]);
      expect(await targetOf(bench.store, 'gone')).toMatchObject({ deletedAt: NOON + 9 });
      expect(codesOf(await make('gone'))).toEqual([null]);
    });
  });
}
