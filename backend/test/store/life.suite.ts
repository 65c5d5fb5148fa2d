import { describe, expect, it } from 'vitest';
import { FIRST_ACCOUNT, StoreError } from '../../src/store/interface/store.ts';
import type { Dialect } from '../../src/store/migrations/schema-dialect.ts';
import { sortLinksByClicks } from '../../src/store/migrations/steps/0006-sort-links-by-clicks.ts';
import { addTotalsOfAllLinks } from '../../src/store/migrations/steps/0011-add-totals-of-all-links.ts';
import { link, makeKey, NOON, quotaLeft, submission, targetOf } from '../support/store.ts';
import type { Bench } from './suite.ts';

/** Statements that revert the two migrations for sorting links by clicks. */
const WITHOUT_LINKS_BY_CLICKS = `
  DELETE FROM click_totals; ALTER TABLE links DROP COLUMN clicked;
  DROP INDEX click_totals_by_clicks; ALTER TABLE click_totals DROP COLUMN account_id`;

export function lifeSuite(bench: Bench): void {
  describe('a database', () => {
    it('keeps its data when it is closed and opened again', async () => {
      const key = await makeKey(bench.store);
      const idempotency = { key: 'a', endpoint: '/', fingerprint: new Uint8Array(32) };
      const first = submission(key, { links: [link(['kept'])], idempotency });
      await bench.store.createRequests.submit(first);
      const left = await quotaLeft(bench.store, key);
      await bench.store.close();
      bench.store = await bench.database.open();
      expect(await targetOf(bench.store, 'kept')).not.toBeNull();
      expect(await bench.store.keys.list()).toEqual([key]);
      expect(await quotaLeft(bench.store, key)).toBe(left);
      expect(await bench.store.createRequests.submit(first)).toMatchObject({ kind: 'replayed' });
    });

    it('finishes pending operations before it closes', async () => {
      const key = await makeKey(bench.store);
      const asked = bench.store.createRequests.submit(submission(key, { links: [link(['late'])] }));
      await bench.store.close();
      await expect(asked).resolves.toMatchObject({ kind: 'answered' });
      bench.store = await bench.database.open();
      expect(await targetOf(bench.store, 'late')).not.toBeNull();
    });

    it('shows a process the changes that another process has committed', async () => {
      const other = await bench.database.open();
      const key = await makeKey(other);
      await other.createRequests.submit(submission(key, { links: [link(['shared'])] }));
      expect(await targetOf(bench.store, 'shared')).not.toBeNull();
      expect(await bench.store.keys.list()).toHaveLength(1);
      await other.close();
    });

    it('of a version that cannot sort links by clicks is upgraded by two migrations', async () => {
      for (const code of ['never', 'once', 'bots', 'thrice']) {
        await bench.store.links.create(FIRST_ACCOUNT, link([code]), NOON);
      }
      await bench.store.close();
      await bench.database.execute(`${WITHOUT_LINKS_BY_CLICKS};
        INSERT INTO click_totals (link_id, clicks)
          SELECT id, CASE code WHEN 'once' THEN 1 WHEN 'bots' THEN 0 ELSE 3 END FROM links WHERE code <> 'never'`);
      const words = { integer: 'INTEGER' } as Dialect;
      for (const step of [sortLinksByClicks, addTotalsOfAllLinks]) {
        for (const statement of step.statements(words, NOON)) await bench.database.execute(statement);
      }
      bench.store = await bench.database.open();
      const listed = await bench.store.links.list(FIRST_ACCOUNT, null, 9, 'clicks');
      expect(listed.map(({ code, clicks }) => [code, clicks])).toEqual([
        ['thrice', 3],
        ['once', 1],
        ['bots', 0],
        ['never', 0],
      ]);
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
