import { expect, it } from 'vitest';
import { listLinks } from '../../src/commands/key-and-link-commands.ts';
import type { StoredLink } from '../../src/domain/links/stored-link.ts';
import type { Store } from '../../src/store/open-store.ts';
import type { LinkPosition } from '../../src/store/sql/link-rows.ts';
import { NOON } from '../support/store.ts';

/** A store with links whose IDs are the numbers from `count` to 1. */
function storeOf(count: number): Store {
  const link = (id: number) =>
    ({ id, code: `code${id}`, url: 'https://example.com/', createdAt: NOON, expiresAt: null, clicks: 7 }) as StoredLink;
  const list = async (_: number, after: LinkPosition | null, max: number) => {
    const first = after ? after.id - 1 : count;
    return Array.from({ length: Math.min(max, first) }, (_, at) => link(first - at));
  };
  return { links: { list } } as unknown as Store;
}

it.each([0, 1, 999, 1000, 1001, 2000, 2500])('a list of %i links has each link once and one header', async (count) => {
  let output = '';
  await listLinks(storeOf(count), ['https://sho.rt'], (text) => {
    output += `${text}\n`;
  });
  const [header, ...rows] = output.trimEnd().split('\n');
  expect(header).toMatch(/^SHORT URL/);
  expect(rows.map((row) => row.split(' ')[0])).toEqual(
    Array.from({ length: count }, (_, at) => `https://sho.rt/code${count - at}`),
  );
});
