import { describe, expect, it } from 'vitest';
import type { StoredLink } from '../../src/domain/links/stored-link.ts';
import { linkFilter, pageOfLinks } from '../../src/store/search-and-paginate-links.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { link, linksOf, makeKey, NOON, submission } from '../support/store.ts';
import type { Bench } from './suite.ts';

export function tagsSuite(bench: Bench): void {
  const create = (code: string, tags: string[], more = {}) =>
    bench.store.links.create(FIRST_ACCOUNT, link([code], { tags, ...more }), NOON);
  const find = (code: string) => bench.store.links.find(FIRST_ACCOUNT, code);
  const having = (tag: string, search = '') => linkFilter({ tag, search }, ['https://t.example']);

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
    });

    it('are replaced by an edit, and stay if the edit does not name them', async () => {
      await create('one', ['first', 'second']);
      const edit = (to: object) => bench.store.links.edit(FIRST_ACCOUNT, 'one', to);
      expect(await edit({ title: 'New' })).toMatchObject({ title: 'New', tags: ['first', 'second'] });
      expect(await edit({ tags: ['third', 'First'] })).toMatchObject({ title: 'New', tags: ['third', 'First'] });
      expect(await find('one')).toMatchObject({ tags: ['third', 'First'] });
      expect(await edit({ tags: [] })).toMatchObject({ tags: [] });
    });

    it.each(['newest', 'oldest', 'clicks'] as const)('filter pages of links in the order %s', async (order) => {
      for (let at = 0; at < 9; at += 1) await create(`code-${at}`, at % 2 === 0 ? ['Even'] : ['evening']);
      const query = { accountId: FIRST_ACCOUNT, limit: 2, order, matches: having('even') };
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
      const matches = having('News', 'mine');
      const query = { accountId: FIRST_ACCOUNT, keyId: key.id, after: null, limit: 9, matches };
      const page = await pageOfLinks(bench.store.links, query, async () => {});
      expect(page.links.map(({ code }) => code)).toEqual(['mine-1']);
    });
  });
}
