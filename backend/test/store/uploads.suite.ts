import { expect, it } from 'vitest';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { NOON } from '../support/store.ts';
import type { Bench } from './suite.ts';

const MAX_BYTES = 10;

export function uploadsSuite(bench: Bench): void {
  const add = (accountId: number, token: string, text = 'text', now = NOON) => {
    const content = new TextEncoder().encode(text);
    return bench.store.uploads.add({ accountId, token, name: 'links.csv', total: 3, content, now }, MAX_BYTES);
  };
  const find = (accountId: number, token: string) => bench.store.uploads.find(accountId, token, NOON - 1);
  const contentOf = async (id = 0) => {
    const content = await bench.store.uploads.content(id);
    return content && Buffer.from(content).toString();
  };

  it('an upload replaces the waiting upload of its account, but not one that was confirmed', async () => {
    await add(FIRST_ACCOUNT, 'first');
    await add(FIRST_ACCOUNT, 'second');
    expect(await find(FIRST_ACCOUNT, 'first')).toBeNull();
    const second = (await find(FIRST_ACCOUNT, 'second'))?.id ?? 0;
    const file = { name: 'links.csv', total: 3, fingerprint: new Uint8Array(32), runner: 'me', now: NOON };
    const run = await bench.store.imports.begin({ accountId: FIRST_ACCOUNT, uploadId: second, ...file });
    await add(FIRST_ACCOUNT, 'third');
    expect(await find(FIRST_ACCOUNT, 'second')).toMatchObject({ id: second, importId: run?.id });
    expect(await contentOf(second)).toBeNull();
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
    await uploads.forget(NOON);
    expect(await add(refused, 'later', '1234567890')).toBe(true);
  });

  it('uploads of a removed account are deleted with it', async () => {
    const { accounts } = bench.store;
    const { id: account } = await accounts.create('other', NOON);
    await add(account, 'token');
    const upload = await find(account, 'token');
    await accounts.remove({ accountId: account, verified: null, now: NOON });
    while (await accounts.clear(100, NOON));
    expect(await contentOf(upload?.id)).toBeNull();
  });
}
