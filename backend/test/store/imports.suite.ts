import { describe, expect, it } from 'vitest';
import type { ImportRow } from '../../src/store/import-store.ts';
import { FIRST_ACCOUNT } from '../../src/store/store.ts';
import { NOON } from '../support/store.ts';
import type { Bench } from './suite.ts';

const TAKEN = 'This short code is taken.';

export function importsSuite(bench: Bench): void {
  const begin = (accountId = FIRST_ACCOUNT) =>
    bench.store.imports.begin({ accountId, name: 'links.csv', total: 3, now: NOON });
  const row = (line: number, code: string, url = 'https://example.com/'): ImportRow => ({
    line,
    subject: code,
    link: { codes: [code], url, title: 'Ä', createdAt: NOON - 5000, expiresAt: NOON + 1 },
  });

  describe('imports', () => {
    it('make links as they once were, and count them', async () => {
      const { id } = await begin();
      await bench.store.imports.apply(id, [row(2, 'one'), row(3, 'two')], TAKEN, NOON + 1);
      expect(await bench.store.links.find(FIRST_ACCOUNT, 'one')).toMatchObject({
        url: 'https://example.com/',
        title: 'Ä',
        createdAt: NOON - 5000,
        expiresAt: NOON + 1,
      });
      expect(await bench.store.imports.get(FIRST_ACCOUNT, id)).toMatchObject({ made: 2, updatedAt: NOON + 1 });
    });

    it('leave alone what is already there, and note what cannot be made', async () => {
      const other = await bench.store.accounts.create('other', NOON);
      const foreign = await begin(other.id);
      await bench.store.imports.apply(foreign.id, [row(2, 'theirs')], TAKEN, NOON);
      const { id } = await begin();
      await bench.store.imports.apply(id, [row(2, 'mine')], TAKEN, NOON);
      const rows = [row(2, 'mine'), row(3, 'mine', 'https://else.example/'), row(4, 'theirs')];
      const bad = { line: 5, subject: 'nonsense', problem: 'Please enter a valid URL.' };
      await bench.store.imports.apply(id, [...rows, bad], TAKEN, NOON);
      expect(await bench.store.imports.get(FIRST_ACCOUNT, id)).toMatchObject({ made: 1, unchanged: 1, refused: 3 });
      expect(await bench.store.imports.errors(id, 0, 10)).toEqual([
        { line: 3, subject: 'mine', problem: TAKEN },
        { line: 4, subject: 'theirs', problem: TAKEN },
        bad,
      ]);
      expect(await bench.store.imports.errors(id, 3, 1)).toEqual([{ line: 4, subject: 'theirs', problem: TAKEN }]);
      expect(await bench.store.links.find(FIRST_ACCOUNT, 'mine')).toMatchObject({ url: 'https://example.com/' });
    });

    it('bring no deleted code back', async () => {
      const { id } = await begin();
      await bench.store.imports.apply(id, [row(2, 'gone')], TAKEN, NOON);
      await bench.store.links.remove(FIRST_ACCOUNT, 'gone', NOON);
      await bench.store.imports.apply(id, [row(3, 'gone')], TAKEN, NOON);
      expect(await bench.store.links.find(FIRST_ACCOUNT, 'gone')).toMatchObject({ deletedAt: NOON });
      expect(await bench.store.imports.errors(id, 0, 10)).toMatchObject([{ line: 3 }]);
    });

    it('do a group of rows whole or not at all', async () => {
      const { id } = await begin();
      const twice = { line: 2, subject: 'a', problem: 'p' };
      // The same line cannot be noted twice, so this group fails after its first row.
      await expect(bench.store.imports.apply(id, [row(1, 'half'), twice, twice], TAKEN, NOON)).rejects.toThrow();
      expect(await bench.store.links.resolve('half')).toBeNull();
      expect(await bench.store.imports.get(FIRST_ACCOUNT, id)).toMatchObject({ made: 0, refused: 0 });
    });

    it('belong to their account', async () => {
      const other = await bench.store.accounts.create('other', NOON);
      const [mine, theirs] = [await begin(), await begin(other.id)];
      expect(await bench.store.imports.get(other.id, mine.id)).toBeNull();
      expect(await bench.store.imports.list(other.id, 10)).toEqual([theirs]);
      await bench.store.imports.finish(mine.id, NOON + 9);
      expect(await bench.store.imports.list(FIRST_ACCOUNT, 10)).toEqual([
        { ...mine, updatedAt: NOON + 9, finishedAt: NOON + 9 },
      ]);
    });
  });
}
