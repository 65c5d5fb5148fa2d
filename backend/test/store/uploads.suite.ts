import { expect, it } from 'vitest';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { NOON } from '../support/store.ts';
import type { Bench } from './suite.ts';

export function uploadsSuite(bench: Bench): void {
  const begin = async (account = FIRST_ACCOUNT, token = 'token', size = 4, now = NOON) =>
    bench.store.uploads.begin(account, token, size, 10, now);
  const content = (text: string) => new TextEncoder().encode(text);
  const text = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString();

  it('an upload is stored in pieces and belongs to one account', async () => {
    const { uploads, accounts } = bench.store;
    const id = (await begin()) ?? 0;
    expect(await uploads.find(FIRST_ACCOUNT, 'token', NOON - 1)).toBeNull();
    for (const [position, piece] of ['one\0', 'two'].entries())
      expect(await uploads.add(id, position, content(piece))).toBe(true);
    expect(await uploads.complete(id, { name: 'links.csv', size: 7, preview: '{}' })).toBe(true);
    const upload = { id, name: 'links.csv', size: 7, preview: '{}', importId: null };
    expect(await uploads.find(FIRST_ACCOUNT, 'token', NOON - 1)).toEqual(upload);
    expect(await Promise.all([0, 1, 2].map(async (at) => text(await uploads.piece(id, at))))).toEqual([
      ...['one\0', 'two'],
      null,
    ]);
    const { id: other } = await accounts.create('other', NOON);
    expect(await uploads.find(other, 'token', NOON - 1)).toBeNull();
    expect(await uploads.find(FIRST_ACCOUNT, 'token', NOON)).toBeNull();
  });

  it('an upload replaces the waiting upload of its account, but not one that is being imported', async () => {
    const { uploads } = bench.store;
    const [first, second] = [(await begin()) ?? 0, (await begin(FIRST_ACCOUNT, 'second')) ?? 0];
    expect(await uploads.add(first, 0, content('late'))).toBe(false);
    expect(await uploads.complete(first, { name: 'late', size: 4, preview: '' })).toBe(false);
    await uploads.add(second, 0, content('kept'));
    await uploads.complete(second, { name: 'links.csv', size: 4, preview: '{}' });
    await uploads.confirm(second, 7);
    await begin(FIRST_ACCOUNT, 'third');
    expect(text(await uploads.piece(second, 0))).toBe('kept');
    await uploads.discard(second);
    expect(await uploads.piece(second, 0)).toBeNull();
    expect(await uploads.find(FIRST_ACCOUNT, 'second', NOON - 1)).toMatchObject({ importId: 7, size: 0 });
  });

  it('uploads of all accounts together have a limit', async () => {
    const { uploads, accounts } = bench.store;
    const [ada, grace, eve] = [
      FIRST_ACCOUNT,
      (await accounts.create('g', NOON)).id,
      (await accounts.create('e', NOON)).id,
    ];
    const fill = async (account: number, token: string) => {
      const id = (await begin(account, token)) ?? 0;
      await uploads.add(id, 0, content('1234'));
      await uploads.complete(id, { name: token, size: 4, preview: '{}' });
      return id;
    };
    await fill(ada, 'first');
    // Uploads that have begun count with the size that they announced, however little has arrived.
    const begun = await Promise.all([grace, eve].map((account) => begin(account, `of ${account}`)));
    expect(begun.filter((id) => id !== null)).toHaveLength(1);
    await fill(grace, 'second');
    expect(await begin(eve, 'third')).toBeNull();
    expect(await begin(grace, 'fourth')).not.toBeNull();
    await fill(grace, 'fourth');
    await uploads.forget(NOON);
    expect(await begin(eve, 'fifth', 7)).not.toBeNull();
  });

  it('uploads of a removed account are deleted with it', async () => {
    const { uploads, accounts } = bench.store;
    const { id: account } = await accounts.create('other', NOON);
    const id = (await begin(account)) ?? 0;
    await uploads.add(id, 0, content('text'));
    await accounts.remove({ accountId: account, verified: null, now: NOON });
    while (await accounts.clear(100, NOON));
    expect(await uploads.piece(id, 0)).toBeNull();
  });
}
