import { describe, expect, it } from 'vitest';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { link, linksOf, makeKey, NOON, submission } from '../support/store.ts';
import type { Bench } from './suite.ts';

export function tagsSuite(bench: Bench): void {
  const create = (code: string, tags: string[], more = {}) =>
    bench.store.links.create(FIRST_ACCOUNT, link([code], { tags, ...more }), NOON);
  const find = (code: string) => bench.store.links.find(FIRST_ACCOUNT, code);

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
  });
}
