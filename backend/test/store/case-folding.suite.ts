import { describe, expect, it } from 'vitest';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { SettingError } from '../../src/store/store-errors.ts';
import { link, NOON } from '../support/store.ts';
import type { Bench } from './suite.ts';

export function caseFoldingSuite(bench: Bench): void {
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
