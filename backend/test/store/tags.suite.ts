import { describe, expect, it } from 'vitest';
import type { StoredLink } from '../../src/domain/links/stored-link.ts';
import { pageOfLinks } from '../../src/store/search-and-paginate-links.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import type { TagOrder } from '../../src/store/sql/link-lists.ts';
import { link, linksOf, makeKey, NOON, submission, targetOf } from '../support/store.ts';
import type { Bench } from './suite.ts';

export function tagsSuite(bench: Bench): void {
  const create = (code: string, tags: string[], more = {}) =>
    bench.store.links.create(FIRST_ACCOUNT, link([code], { tags, ...more }), NOON);
  const find = (code: string) => bench.store.links.find(FIRST_ACCOUNT, code);
  const tagged = async (tag: string, order: TagOrder = 'newest', account = FIRST_ACCOUNT) =>
    (await bench.store.links.listTagged(account, tag, null, 9, order)).map(({ code }) => code);

  describe('tags', () => {
    it('are stored in their order, with every way to read a link', async () => {
      const key = await makeKey(bench.store, { ownLinksOnly: true });
      const tags = ['Zoo', 'a b', 'Äpfel 🍎'];
      const outcome = await bench.store.createRequests.submit(
        submission(key, { links: [link(['one'], { tags }), link(['two'])] }),
      );
      expect(linksOf(outcome)).toMatchObject([{ tags }, { tags: [] }]);
      expect(await find('one')).toMatchObject({ tags });
      const { links } = bench.store;
      expect(await links.list(FIRST_ACCOUNT, null, 9)).toMatchObject([{ tags: [] }, { tags }]);
      expect(await links.list(FIRST_ACCOUNT, null, 9, 'clicks')).toMatchObject([{ tags: [] }, { tags }]);
      expect(await links.listOfKey(key.id, null, 9)).toMatchObject([{ tags: [] }, { tags }]);
      expect(await links.findAll(FIRST_ACCOUNT, ['one'])).toMatchObject([{ tags }]);
      expect(await links.listTagged(FIRST_ACCOUNT, 'zoo', null, 9, 'newest')).toMatchObject([{ tags }]);
    });

    it('find the links of an account in both orders, ignoring case', async () => {
      const other = await bench.store.accounts.create('other', NOON);
      await bench.store.links.create(other.id, link(['theirs'], { tags: ['news'] }), NOON);
      await create('one', ['News']);
      await create('two', ['old', 'NEWS']);
      await create('three', ['newsletter']);
      expect(await tagged('nEWs')).toEqual(['two', 'one']);
      expect(await tagged('news', 'oldest')).toEqual(['one', 'two']);
      expect(await tagged('news', 'newest', other.id)).toEqual(['theirs']);
      expect(await tagged("' OR 1=1 --")).toEqual([]);
    });

    it('are replaced by an edit, and stay if the edit does not name them', async () => {
      await create('one', ['first', 'second']);
      const edit = (to: object) => bench.store.links.edit(FIRST_ACCOUNT, 'one', to);
      expect(await edit({ title: 'New' })).toMatchObject({ title: 'New', tags: ['first', 'second'] });
      expect(await edit({ tags: ['third', 'First'] })).toMatchObject({ title: 'New', tags: ['third', 'First'] });
      expect(await find('one')).toMatchObject({ tags: ['third', 'First'] });
      expect([await tagged('first'), await tagged('second')]).toEqual([['one'], []]);
      expect(await edit({ tags: [] })).toMatchObject({ tags: [] });
      expect(await tagged('third')).toEqual([]);
    });

    it('find no deleted links until the deletion is undone', async () => {
      const { links } = bench.store;
      for (const code of ['one', 'two']) await create(code, ['news']);
      await links.removeAll(FIRST_ACCOUNT, ['one'], NOON, NOON + 9);
      expect(await tagged('news')).toEqual(['two']);
      await links.restoreAll(FIRST_ACCOUNT, { deletedAt: NOON, now: NOON }, 9);
      expect(await tagged('news')).toEqual(['two', 'one']);
      await links.removeAll(FIRST_ACCOUNT, ['one', 'two'], NOON + 1, NOON + 9);
      expect(await tagged('news')).toEqual([]);
      await links.restoreAll(FIRST_ACCOUNT, { deletedAt: NOON + 1, now: NOON + 1 }, 9);
      expect(await tagged('news')).toEqual(['two', 'one']);
    });

    it.each(['newest', 'oldest', 'clicks'] as const)('filter pages of links in the order %s', async (order) => {
      for (let at = 0; at < 9; at += 1) await create(`code-${at}`, at % 2 === 0 ? ['Even'] : []);
      const query = { accountId: FIRST_ACCOUNT, limit: 2, order, tag: 'even', matches: null };
      const codes: string[] = [];
      for (let after: StoredLink | null = null, isLast = false; !isLast; ) {
        const page = await pageOfLinks(bench.store.links, { ...query, after }, async () => {});
        codes.push(...page.links.map(({ code }) => code));
        [after, isLast] = [page.last, page.last === null];
      }
      const expected = ['code-8', 'code-6', 'code-4', 'code-2', 'code-0'];
      expect(codes).toEqual(order === 'oldest' ? expected.reverse() : expected);
    });

    it('filter the links of a restricted key, together with a search', async () => {
      const key = await makeKey(bench.store, { ownLinksOnly: true });
      const tags = ['news'];
      const links = [link(['mine-1'], { tags }), link(['mine-2']), link(['other'], { tags })];
      await bench.store.createRequests.submit(submission(key, { links }));
      await create('mine-3', tags);
      const matches = ({ code }: StoredLink) => code.startsWith('mine');
      const query = { accountId: FIRST_ACCOUNT, keyId: key.id, after: null, limit: 9, tag: 'News', matches };
      const page = await pageOfLinks(bench.store.links, query, async () => {});
      expect(page.links.map(({ code }) => code)).toEqual(['mine-1']);
    });

    it('are deleted with their account', async () => {
      const { accounts, links } = bench.store;
      const { id } = await accounts.create('other', NOON);
      await links.create(id, link(['one'], { tags: ['private'] }), NOON);
      await create('mine', ['private']);
      await accounts.remove({ accountId: id, verified: null, now: NOON });
      while (await accounts.clear(9, NOON));
      expect(await links.find(0, 'one')).toMatchObject({ tags: [] });
      expect(await find('mine')).toMatchObject({ tags: ['private'] });
    });
  });

  describe('query forwarding', () => {
    it.each([true, false, null])('is stored as %s, and can be changed', async (forwardQuery) => {
      await create('one', [], { forwardQuery });
      expect(await targetOf(bench.store, 'one')).toMatchObject({ forwardQuery });
      expect(await find('one')).toMatchObject({ forwardQuery });
      for (const changed of [true, false, null]) {
        await bench.store.links.edit(FIRST_ACCOUNT, 'one', { forwardQuery: changed });
        await bench.store.links.edit(FIRST_ACCOUNT, 'one', { title: 'New' });
        expect(await targetOf(bench.store, 'one')).toMatchObject({ forwardQuery: changed });
      }
    });
  });
}
