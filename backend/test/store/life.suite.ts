import sql from 'sql-template-tag';
import { describe, expect, it } from 'vitest';
import { dayOf } from '../../src/domain/analytics/day-counts.ts';
import { newestStep } from '../../src/store/migrations/all-migrations.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import type { Import } from '../../src/store/sql/import-queries.ts';
import { SettingError, StoreError, StoreUnavailable } from '../../src/store/store-errors.ts';
import { addAndCount, addClicks, click, clicksOn } from '../support/clicks.ts';
import { link, makeKey, NOON, submission, TAKEN, targetOf } from '../support/store.ts';
import type { Bench } from './suite.ts';

const bytes = (byte: number) => new Uint8Array(32).fill(byte);
const LATER = NOON + 60_000;

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

    it('shows no changes before they are committed', async () => {
      const { transaction, read, close } = await bench.database.connect();
      const days = () => read(sql`SELECT day FROM visitor_days`);
      const insert = sql`INSERT INTO visitor_days (day, salt) VALUES (1, ${bytes(1)})`;
      expect(await transaction((run) => run(insert).then(days))).toEqual([]);
      expect(await days()).toEqual([{ day: 1 }]);
      await close();
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

  it.each([
    ['Code', 'Code'],
    ['//go.example/coDe', 'go.example/coDe'],
  ])(
    'short codes that ignore case are refused if there is a code with a capital letter, even of a deleted link: %s',
    async (code, shown) => {
      await make('other');
      await make(code);
      await bench.store.links.takeDown(code, NOON);
      await expect(openFolding()).rejects.toThrow(SettingError);
      await expect(openFolding()).rejects.toThrow(`such as ${shown}.`);
    },
  );

  async function hold(accountId: number, name: string, token: number): Promise<void> {
    const { accounts } = bench.store;
    await accounts.invite({ accountId, hash: bytes(token), createdAt: NOON, expiresAt: LATER + 1 });
    const nameKey = name.toLowerCase();
    await accounts.accept({ hash: bytes(token), name, nameKey, password: 'hash-1', now: NOON });
  }

  describe('deleted accounts', () => {
    it('lose all their data, but their codes stay retired', async () => {
      const { accounts, keys, links, createRequests, imports, uploads, clicks, sessions } = bench.store;
      const { id } = await accounts.create('other', NOON);
      await hold(FIRST_ACCOUNT, 'Ada', 1);
      await hold(id, 'Grace', 2);
      await sessions.create({ accountId: id, hash: bytes(8), password: 'hash-1', device: 'Firefox', now: NOON });
      await links.create(FIRST_ACCOUNT, link(['adas']), NOON);
      const hash = bytes(5);
      const key = await makeKey(bench.store, { hash, accountId: id });
      const idempotency = { key: 'mine', endpoint: '/', fingerprint: bytes(1) };
      await createRequests.submit(submission(key, { idempotency, links: [link(['one']), link(['two'])] }));
      await links.create(id, link(['three'], { title: 'Secret' }), NOON);
      await links.remove(id, ['two'], NOON + 1);
      const file = { name: 'links.csv', total: 1, fingerprint: bytes(6), runner: 'me', again: false, now: NOON };
      const taken = (await imports.begin({ ...file, accountId: id, uploadId: 0 })) as Import;
      await imports.apply(taken, [{ line: 2, subject: 'secret', problem: 'wrong' }], TAKEN, NOON);
      const upload = { token: 'graces', name: 'links.csv', total: 1, content: bytes(7), now: NOON };
      expect(await uploads.add({ accountId: id, ...upload }, 100)).toBe(true);
      const one = (await links.find(id, 'one'))?.id as number;
      const day = dayOf(NOON);
      await addAndCount(bench.store, clicksOn(one, day, 12, 3));
      expect(await clicks.accountHours(id, 24 * day, 24 * day + 23)).toEqual([{ hour: 24 * day + 12, clicks: 3 }]);

      expect(await accounts.remove({ accountId: id, verified: 'hash-0', now: LATER })).toBe(false);
      expect(await accounts.remove({ accountId: FIRST_ACCOUNT, verified: null, now: LATER })).toBe(false);
      expect(await accounts.remove({ accountId: 0, verified: null, now: LATER })).toBe(false);
      expect(await accounts.credentials('grace')).toMatchObject({ accountId: id });
      expect(await accounts.remove({ accountId: id, verified: 'hash-1', now: LATER })).toBe(true);
      expect(await accounts.remove({ accountId: id, verified: null, now: LATER })).toBe(false);
      expect(await accounts.credentials('grace')).toBeNull();
      expect(await sessions.list(id)).toEqual([]);
      expect(await keys.find(hash)).toMatchObject({ disabledAt: LATER, revokedAt: LATER });
      expect((await accounts.list()).map(({ name }) => name)).toEqual(['Ada']);

      let portions = 0;
      while (await accounts.clear(2, LATER)) portions += 1;
      expect(portions).toBeGreaterThan(3);
      expect(await Promise.all(['one', 'two', 'three'].map(links.resolve))).toMatchObject([
        { url: '', deletedAt: LATER },
        { url: '', deletedAt: NOON + 1 },
        { url: '', deletedAt: LATER },
      ]);
      expect(await links.find(id, 'one')).toBeNull();
      expect(await links.create(FIRST_ACCOUNT, link(['one', 'two', 'three']), LATER)).toBeNull();
      expect([await accounts.get(id), await accounts.get(0)]).toEqual([null, null]);
      expect(await keys.find(hash)).toBeNull();
      expect(await keys.list()).toEqual([]);
      expect(await clicks.days(one, day, day)).toEqual([]);
      await addClicks(bench.store, [...clicksOn(one, day, 12, 3), click(one, { bot: true })]);
      expect(await clicks.count()).toEqual({ clicks: 4, dropped: 4 });
      expect(await clicks.days(one, day, day + 1)).toEqual([]);
      expect(await clicks.accountHours(id, 24 * day, 24 * day + 47)).toEqual([]);
      expect(await links.find(0, 'one')).toMatchObject({ clicks: 0 });
      expect(await imports.list(id, 10)).toEqual([]);
      expect(await uploads.find(id, 'graces', 0)).toBeNull();
      expect(await imports.errors(taken.id, 0, 10)).toEqual([]);
      await expect(links.create(id, link(['late']), LATER)).rejects.toThrow(StoreUnavailable);
      await expect(createRequests.submit(submission(key, { links: [link(['later'])] }))).rejects.toThrow(
        StoreUnavailable,
      );
      expect(await links.find(FIRST_ACCOUNT, 'adas')).toMatchObject({ url: 'https://example.com/', deletedAt: null });
      const again = await accounts.create('Grace', LATER);
      expect(again.id).not.toBe(id);
      await hold(again.id, 'Grace', 3);
    });

    it('leave no counts behind, even if their clicks are counted at the same time', async () => {
      const { accounts, links, clicks } = bench.store;
      const { id } = await accounts.create('other', NOON);
      const ids = await Promise.all(
        Array.from({ length: 9 }, async (_, at) => (await links.create(id, link([`c${at}`]), NOON))?.id as number),
      );
      const other = await bench.database.open();
      for (const linkId of ids) await addClicks(other, clicksOn(linkId, dayOf(NOON), 12, 9));
      await accounts.remove({ accountId: id, verified: null, now: LATER });
      const clear = async () => {
        while (await accounts.clear(1, LATER));
      };
      await Promise.all([clear(), other.clicks.count()]);
      await other.close();
      for (const linkId of ids) expect(await clicks.days(linkId, 0, dayOf(LATER))).toEqual([]);
      expect(await clicks.accountHours(id, 0, LATER)).toEqual([]);
      expect(await clicks.waiting()).toBe(0);
    });
  });
}
