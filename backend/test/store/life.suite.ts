import { describe, expect, it } from 'vitest';
import { newestStep } from '../../src/store/migrations/all-migrations.ts';
import { StoreError } from '../../src/store/store-errors.ts';
import { link, makeKey, submission, targetOf } from '../support/store.ts';
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
}
