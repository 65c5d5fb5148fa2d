import { describe, expect, it } from 'vitest';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { codesOf, link, makeKey, NOON, submission, targetOf } from '../support/store.ts';
import type { Bench } from './suite.ts';

const DAY = 86_400_000;

export function caseFoldingSuite(bench: Bench): void {
  const make = (code: string) => bench.store.links.create(FIRST_ACCOUNT, link([code]), NOON);
  const reopen = async (foldsCase: boolean) => {
    await bench.store.close();
    // If opening fails, the store without folding is open again, so that the database can be closed.
    bench.store = await bench.database.open(NOON);
    if (!foldsCase) return;
    const folding = await bench.database.open(bench.clock.now, () => bench.clock.now, true);
    await bench.store.close();
    bench.store = folding;
  };

  describe('hosts', () => {
    it('are listed for all links outside the default domain', async () => {
      for (const code of ['plain', '//go.example/a', '//go.example/b', '//go.example:8443/a', '//a.example/z']) {
        await make(code);
      }
      expect((await bench.store.links.hosts()).sort()).toEqual(['a.example', 'go.example', 'go.example:8443']);
    });
  });

  describe('lookups that ignore case', () => {
    it('find older links, refuse codes that differ only in case, and lose no links when disabled', async () => {
      const [old, other] = [await make('OldCode'), await make('//go.example/OldCode')];
      await reopen(true);
      expect(await targetOf(bench.store, 'oldcode')).toMatchObject({ id: old?.id });
      expect(await targetOf(bench.store, '//go.example/oldcode')).toMatchObject({ id: other?.id });
      expect(await targetOf(bench.store, 'none')).toBeNull();
      expect(await bench.store.links.find(FIRST_ACCOUNT, 'OLDCODE')).toMatchObject({ code: 'OldCode' });
      expect(await make('oldcode')).toBeNull();
      const key = await makeKey(bench.store);
      const [first, second] = [link(['oldcode']), link(['oldcode', 'free'])];
      const outcome = await bench.store.createRequests.submit(submission(key, { links: [first, second] }));
      expect(codesOf(outcome)).toEqual([null, 'free']);
      await reopen(false);
      expect((await targetOf(bench.store, 'OldCode'))?.id).toBe(old?.id);
      expect(await targetOf(bench.store, 'oldcode')).toBeNull();
      expect(await make('oldcode')).not.toBeNull();
    });

    it('prefer a link that still works, and never issue the code of a deleted link again', async () => {
      await make('Gone');
      const kept = await make('gone');
      await bench.store.links.takeDown('Gone', NOON);
      await make('Last');
      await bench.store.links.takeDown('Last', NOON);
      await reopen(true);
      expect((await targetOf(bench.store, 'gone'))?.id).toBe(kept?.id);
      expect(await bench.store.links.find(FIRST_ACCOUNT, 'GONE')).toMatchObject({ code: 'gone' });
      expect(await targetOf(bench.store, 'last')).toMatchObject({ deletedAt: NOON });
      expect(await make('last')).toBeNull();
    });

    it('are refused while codes of one domain differ only in case', async () => {
      for (let at = 0; at < 21; at += 1) for (const code of [`Same-${at}`, `same-${at}`]) await make(code);
      await make('//go.example/Both');
      await make('both');
      const refused = await reopen(true).catch(({ message }: Error) => message);
      expect(refused).toContain('short codes differ only in case (21):\nSame-0, same-0\n');
      expect(refused).toContain('\nand 1 more\n');
      expect(refused).not.toContain('oth');
      const codes = Array.from({ length: 21 }, (_, at) => `Same-${at}`);
      await bench.store.links.removeAll(FIRST_ACCOUNT, codes, NOON, NOON + DAY);
      await expect(reopen(true)).rejects.toThrow('(21)');
      bench.clock.now = NOON + DAY + 1;
      await reopen(true);
      expect((await targetOf(bench.store, 'same-7'))?.deletedAt).toBeNull();
    });
  });
}
