import { describe, expect, it } from 'vitest';
import { StoreError } from '../../src/store/store.ts';
import { link, makeKey, submission } from '../support/store.ts';
import type { Bench } from './suite.ts';

export function lifeSuite(bench: Bench): void {
  describe('a database', () => {
    it('keeps everything when it is closed and opened again', async () => {
      const key = await makeKey(bench.store);
      const idempotency = { key: 'a', endpoint: '/', fingerprint: new Uint8Array(32) };
      const first = submission(key, { links: [link(['kept'])], idempotency });
      await bench.store.submissions.submit(first);
      const state = await bench.store.keys.limitState(key.id);
      await bench.store.close();
      bench.store = await bench.database.open();
      expect(await bench.store.links.resolve('kept')).not.toBeNull();
      expect(await bench.store.keys.list()).toEqual([key]);
      expect(await bench.store.keys.limitState(key.id)).toEqual(state);
      expect(await bench.store.submissions.submit(first)).toMatchObject({ kind: 'replayed' });
    });

    it('finishes what was asked before it closes', async () => {
      const key = await makeKey(bench.store);
      const asked = bench.store.submissions.submit(submission(key, { links: [link(['late'])] }));
      await bench.store.close();
      await expect(asked).resolves.toMatchObject({ kind: 'answered' });
      bench.store = await bench.database.open();
      expect(await bench.store.links.resolve('late')).not.toBeNull();
    });

    it('shows one process what another has committed', async () => {
      const other = await bench.database.open();
      const key = await makeKey(other);
      await other.submissions.submit(submission(key, { links: [link(['shared'])] }));
      expect(await bench.store.links.resolve('shared')).not.toBeNull();
      expect(await bench.store.keys.list()).toHaveLength(1);
      await other.close();
    });

    it('that is newer than the program is refused, and not touched', async () => {
      await bench.database.execute("INSERT INTO migrations (id, name, applied_at) VALUES (9999, 'from the future', 0)");
      await expect(bench.database.open()).rejects.toThrow(StoreError);
      await expect(bench.database.open()).rejects.toThrow(/newer than this program/);
      await bench.database.execute('DELETE FROM migrations WHERE id = 9999');
      await (await bench.database.open()).close();
    });
  });
}
