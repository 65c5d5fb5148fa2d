import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GROUPS } from '../../../scripts/mutation/groups.ts';

/** Returns each file name in a glob with alternatives in braces, or the glob itself. */
function parts(glob: string): string[] {
  const [, start = '', list, end = ''] = /^(.*)\{(.+)\}(.*)$/.exec(glob) ?? [];
  return list === undefined ? [glob] : list.split(',').map((name) => `${start}${name}${end}`);
}

test.each(Object.entries(GROUPS))('each file of the mutation group %s exists', (_, { mutate, tests }) => {
  const missing = [...mutate, ...tests].flatMap(parts).filter((glob) => globSync(glob).length === 0);
  expect(missing).toEqual([]);
});
