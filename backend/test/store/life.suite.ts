import { describe, expect, it } from 'vitest';
import { newestStep } from '../../src/store/migrations/all-migrations.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { SettingError, StoreError } from '../../src/store/store-errors.ts';
import { link, makeKey, NOON, submission, targetOf } from '../support/store.ts';
import type { Bench } from './suite.ts';

export function lifeSuite(bench: Bench): void {
  describe('a database', () => {
    it('finishes pending operations before it closes', async () => {
      const key = await makeKey(bench.store);
      const asked = bench.store.createRequests.submit(submission(key, { links: [link(['late'])] }));
      await bench.store.close();
      await expect(asked).resolves.toMatchObject({ kind: 'answered' });
      bench.store = await bench.database.open();
      expect(await targetOf(bench.store, 'late')).not.toBeNull();
    });

    it('of version 0.2.0 is refused with a way to keep its links, and not changed', async () => {
      await bench.store.close();
      const { database } = bench;
      const base = 'SELECT max(id) FROM migrations';
      await database.execute(`UPDATE migrations SET id = 17 WHERE id = (${base})`);
      await expect(database.open()).rejects.toThrow(StoreError);
      await expect(database.open()).rejects.toThrow(/0\.2\.0 or earlier: .*export the links.*import the files/);
      await database.execute(`UPDATE migrations SET id = ${newestStep()} WHERE id = (${base})`);
      bench.store = await database.open();
    });

    it('that is newer than the program is refused and not changed', async () => {
      await bench.database.execute("INSERT INTO migrations (id, name, applied_at) VALUES (9999, 'from the future', 0)");
      await expect(bench.database.open()).rejects.toThrow(StoreError);
      await expect(bench.database.open()).rejects.toThrow(/newer than this program/);
      await bench.database.execute('DELETE FROM migrations WHERE id = 9999');
      await (await bench.database.open()).close();
    });
  });

  const make = (code: string) => bench.store.links.create(FIRST_ACCOUNT, link([code]), NOON);
  const openFolding = () => bench.database.open(NOON, () => NOON, true);

  it('hosts are listed for all links outside the default domain', async () => {
    for (const code of ['plain', '//go.example/a', '//go.example/b', '//go.example:8443/a', '//a.example/z']) {
      await make(code);
    }
    expect((await bench.store.links.hosts()).sort()).toEqual(['a.example', 'go.example', 'go.example:8443']);
  });

  describe('short codes that ignore case', () => {
    it.each([
      ['Code', 'Code'],
      ['//go.example/coDe', 'go.example/coDe'],
    ])('are refused if there is a code with a capital letter, even of a deleted link: %s', async (code, shown) => {
      await make('other');
      await make(code);
      await bench.store.links.takeDown(code, NOON);
      await expect(openFolding()).rejects.toThrow(SettingError);
      await expect(openFolding()).rejects.toThrow(`such as ${shown}.`);
    });
  });
}
