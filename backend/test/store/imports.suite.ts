import { describe, expect, it } from 'vitest';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import type { Import, ImportRow, NewImport } from '../../src/store/sql/import-queries.ts';
import { link, NOON, TAKEN, targetOf } from '../support/store.ts';
import type { Bench } from './suite.ts';

const MAX_BYTES = 10;

export function importsSuite(bench: Bench): void {
  const fingerprint = (text = 'a file') => new TextEncoder().encode(text);
  const begin = (accountId = FIRST_ACCOUNT, more: Partial<NewImport> = {}) => {
    const file = { uploadId: 0, name: 'links.csv', total: 3, fingerprint: fingerprint(), runner: 'me' };
    return bench.store.imports.begin({ accountId, ...file, now: NOON, ...more }) as Promise<Import>;
  };
  const row = (line: number, code: string, url = 'https://example.com/'): ImportRow => ({
    line,
    subject: code,
    link: { ...link([code], { url, title: 'Ä', expiresAt: NOON + 1, importedClicks: 7 }), createdAt: NOON - 5000 },
  });

  describe('imports', () => {
    it('record the problems of several links in a row, in one group or in two', async () => {
      const mine = await begin();
      const problem = (subject: string, text: string) => ({ line: 3, subject, problem: text });
      const group = [problem('a', 'Bad.'), problem('b', 'Bad.'), row(3, 'c')];
      await bench.store.imports.apply(mine, group, TAKEN, NOON);
      await bench.store.imports.apply(mine, [problem('d', 'Worse.')], TAKEN, NOON);
      expect(await bench.store.imports.errors(mine.id, 0, 10)).toEqual([
        { line: 3, subject: 'a, b, d', problem: 'Bad. Worse.' },
      ]);
      expect(await bench.store.imports.get(FIRST_ACCOUNT, mine.id)).toMatchObject({ made: 1, refused: 3 });
    });

    it('list each problem once across several reads', async () => {
      const mine = await begin();
      const group = [1, 2, 3].map((line) => ({ line, subject: 'a', problem: 'Bad.' }));
      await bench.store.imports.apply(mine, group, TAKEN, NOON);
      const first = await bench.store.imports.errors(mine.id, 0, 2);
      const second = await bench.store.imports.errors(mine.id, 2, 2);
      expect([...first, ...second].map(({ line }) => line)).toEqual([1, 2, 3]);
    });

    it('process a group of rows completely or not at all', async () => {
      const mine = await begin();
      // The database rejects an error without a line, so this transaction fails after it created the link.
      const nowhere = { line: null as unknown as number, subject: 'a', problem: 'p' };
      await expect(bench.store.imports.apply(mine, [row(1, 'half'), nowhere], TAKEN, NOON)).rejects.toThrow();
      expect(await targetOf(bench.store, 'half')).toBeNull();
      expect(await bench.store.imports.get(FIRST_ACCOUNT, mine.id)).toMatchObject({ made: 0, refused: 0 });
    });

    it('belong to their account', async () => {
      const other = await bench.store.accounts.create('other', NOON);
      const [mine, theirs] = [await begin(), await begin(other.id)];
      expect(await bench.store.imports.get(other.id, mine.id)).toBeNull();
      expect(await bench.store.imports.list(other.id, 10)).toEqual([theirs]);
      await bench.store.imports.finish(mine, NOON + 9);
      expect(await bench.store.imports.list(FIRST_ACCOUNT, 10)).toEqual([
        { ...mine, updatedAt: NOON + 9, finishedAt: NOON + 9, runner: null },
      ]);
    });

    it('charge nothing for rows that could not be stored, or belong to another upload', async () => {
      const mine = await begin();
      const nowhere = { ...row(2, 'nowhere'), link: { ...link(['nowhere']), url: null as never, createdAt: NOON } };
      await expect(bench.store.imports.apply(mine, [nowhere], TAKEN, NOON, 3)).rejects.toThrow();
      await begin(FIRST_ACCOUNT, { runner: 'another' });
      expect(await bench.store.imports.apply(mine, [row(2, 'late')], TAKEN, NOON, 3)).toBeNull();
      expect(await bench.store.quotas.left(FIRST_ACCOUNT, 'rows', 3)).toMatchObject({ left: 3 });
    });

    it('of one file exist once, even if several processes receive it at the same time', async () => {
      const other = await bench.store.accounts.create('other', NOON);
      const runners = ['one', 'two', 'three', 'four'];
      const begun = await Promise.all(runners.map((runner) => begin(FIRST_ACCOUNT, { runner })));
      expect(new Set(begun.map(({ id }) => id)).size).toBe(1);
      expect(await bench.store.imports.list(FIRST_ACCOUNT, 10)).toHaveLength(1);
      const isRun = await Promise.all(begun.map((run) => bench.store.imports.apply(run, [], TAKEN, NOON)));
      expect(isRun.filter((rows) => rows !== null)).toHaveLength(1);
      const ids = [await begin(other.id), await begin(FIRST_ACCOUNT, { fingerprint: fingerprint('another') })];
      expect(new Set([...begun, ...ids].map(({ id }) => id)).size).toBe(3);
    });

    it('of one upload run once, even if another process has completed it before the form arrives again', async () => {
      const { uploads, imports } = bench.store;
      const upload = { token: 'token', name: 'links.csv', total: 1, content: fingerprint(), now: NOON };
      await uploads.add({ accountId: FIRST_ACCOUNT, ...upload }, 100);
      const uploadId = (await uploads.find(FIRST_ACCOUNT, 'token', NOON - 1))?.id as number;
      const first = await begin(FIRST_ACCOUNT, { uploadId, runner: 'first' });
      await imports.finish(first, NOON + 1);
      const again = await begin(FIRST_ACCOUNT, { uploadId, runner: 'second' });
      expect(again).toMatchObject({ id: first.id, finishedAt: NOON + 1, runner: null });
      expect(await imports.list(FIRST_ACCOUNT, 10)).toHaveLength(1);
    });

    it('are run by one process at a time', async () => {
      const mine = await begin();
      await bench.store.imports.apply(mine, [row(2, 'one')], TAKEN, NOON);
      await bench.store.imports.leave(mine);
      expect(await bench.store.imports.get(FIRST_ACCOUNT, mine.id)).toMatchObject({ runner: null, finishedAt: null });
      const theirs = await begin(FIRST_ACCOUNT, { runner: 'another', now: NOON + 5 });
      expect(theirs).toEqual({ ...mine, made: 1, updatedAt: NOON + 5, runner: 'another' });

      expect(await bench.store.imports.apply(mine, [row(3, 'two')], TAKEN, NOON + 6)).toBe(null);
      await bench.store.imports.finish(mine, NOON + 6);
      await bench.store.imports.leave(mine);
      expect(await targetOf(bench.store, 'two')).toBeNull();
      expect(await bench.store.imports.get(FIRST_ACCOUNT, mine.id)).toEqual(theirs);
      expect(await bench.store.imports.apply(theirs, [row(3, 'two')], TAKEN, NOON + 6)).toBe(1);
    });

    it('stop when their account is disabled, and continue after it is enabled', async () => {
      const { accounts, imports } = bench.store;
      const { id } = await accounts.create('other', NOON);
      const stopped = await begin(id);
      expect(await imports.apply(stopped, [row(2, 'one')], TAKEN, NOON)).toBe(1);
      await accounts.disable(id, NOON);
      expect(await imports.apply(stopped, [row(3, 'two')], TAKEN, NOON)).toBeNull();
      expect(await begin(id, { runner: 'another' })).toBeNull();
      await accounts.enable(id);
      const continued = await begin(id, { uploadId: 1, runner: 'another' });
      expect(continued).toMatchObject({ id: stopped.id, made: 1 });
      expect(await imports.apply(continued, [row(3, 'two')], TAKEN, NOON)).toBe(1);
    });

    it('are deleted with their errors, in batches, unless they are among the latest', async () => {
      const other = await bench.store.accounts.create('other', NOON);
      const theirs = await begin(other.id);
      const file = (text: string) => begin(FIRST_ACCOUNT, { fingerprint: fingerprint(text) });
      const [old, older, last] = [await file('old'), await file('older'), await file('last')];
      const bad = (line: number): ImportRow => ({ line, subject: 'a', problem: 'p' });
      for (const one of [theirs, old, older, last]) {
        await bench.store.imports.apply(one, [bad(2), bad(3), bad(4)], TAKEN, NOON + one.id);
      }
      await bench.store.imports.apply(old, [bad(5)], TAKEN, NOON + 1000);
      const errors = async ({ id }: { id: number }) => (await bench.store.imports.errors(id, 0, 10)).length;

      expect(await bench.store.imports.forget(FIRST_ACCOUNT, 2, 2)).toBe(true);
      expect(await errors(older)).toBe(1);
      while (await bench.store.imports.forget(FIRST_ACCOUNT, 2, 2));
      expect((await bench.store.imports.list(FIRST_ACCOUNT, 10)).map(({ id }) => id)).toEqual([last.id, old.id]);
      expect([await errors(older), await errors(old), await errors(last), await errors(theirs)]).toEqual([0, 4, 3, 3]);
    });
  });

  const add = (accountId: number, token: string, text = 'text', now = NOON) => {
    const content = new TextEncoder().encode(text);
    return bench.store.uploads.add({ accountId, token, name: 'links.csv', total: 3, content, now }, MAX_BYTES);
  };
  const find = (accountId: number, token: string) => bench.store.uploads.find(accountId, token, NOON - 1);

  it('an upload replaces the waiting upload of its account, but not one that was confirmed', async () => {
    await add(FIRST_ACCOUNT, 'first');
    await add(FIRST_ACCOUNT, 'second');
    expect(await find(FIRST_ACCOUNT, 'first')).toBeNull();
    const second = (await find(FIRST_ACCOUNT, 'second'))?.id ?? 0;
    const file = { name: 'links.csv', total: 3, fingerprint: new Uint8Array(32), runner: 'me', now: NOON };
    const run = await bench.store.imports.begin({ accountId: FIRST_ACCOUNT, uploadId: second, ...file });
    await add(FIRST_ACCOUNT, 'third');
    expect(await find(FIRST_ACCOUNT, 'second')).toMatchObject({ id: second, importId: run?.id, content: null });
  });

  it('uploads of all accounts together have a limit', async () => {
    const { uploads, accounts } = bench.store;
    const [grace, eve] = [(await accounts.create('g', NOON)).id, (await accounts.create('e', NOON)).id];
    await add(FIRST_ACCOUNT, 'first');
    const results = await Promise.all([grace, eve].map((account) => add(account, `of ${account}`, '12345')));
    expect(results.filter(Boolean)).toHaveLength(1);
    const [refused = 0, accepted = 0] = results[0] ? [eve, grace] : [grace, eve];
    expect(await add(refused, 'again')).toBe(false);
    expect(await add(accepted, 'replaced', '123456')).toBe(true);
    await uploads.forget(NOON, 0);
    expect(await add(refused, 'later', '1234567890')).toBe(true);
  });
}
