import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { useLinks } from '../../../../src/components/hooks/use-stored-data.ts';
import { FIRST_LINKS, useAllLinks } from '../../../../src/pages/links/search-and-sort.ts';
import type { Link } from '../../../../src/queue/types.ts';
import { broadcastChange } from '../../../../src/storage/change-broadcast.ts';
import { aLink, idsOf } from '../../storage/stored.ts';
import { resetBrowser } from '../../support/fake-browser.ts';
import { render } from '../../support/render.ts';

// @vitest-environment happy-dom

vi.mock('../../../../src/browser/browser.ts', () => import('../../support/fake-browser.ts'));
const read = vi.hoisted(() => vi.fn<() => Promise<Link[]>>());
vi.mock('../../../../src/storage/load-page-data.ts', () => ({ readLinks: read }));

beforeEach(() => {
  resetBrowser();
  read.mockReset();
});

let shown: Link[] = [];
const first = [aLink('b'), aLink('a')];
function Page() {
  shown = useLinks(() => ({}), first).value;
  return null;
}

const tell = () => act(() => broadcastChange({ queues: false, links: true }));

test('after a broadcast, the shown links stay until the disk is read', async () => {
  const { promise, resolve } = Promise.withResolvers<Link[]>();
  read.mockReturnValue(promise);
  await render(<Page />);
  await tell();
  expect(shown).toBe(first);
  resolve([]);
  await vi.waitFor(() => expect(shown).toEqual([]));
});

test('if links change between the first read and subscribing, they are re-read', async () => {
  read.mockResolvedValue([aLink('c'), ...first]);
  await broadcastChange({ queues: false, links: true });
  await render(<Page />);
  await vi.waitFor(() => expect(idsOf(shown)).toEqual(['c', 'b', 'a']));
});

test('the list is complete only after all links are read', async () => {
  const page = Array.from({ length: FIRST_LINKS }, (_, n) => aLink(`first-${n}`));
  const all = Promise.withResolvers<Link[]>();
  read.mockReturnValue(all.promise);
  let list = { links: page, complete: false };
  function List() {
    list = useAllLinks(page);
    return null;
  }
  await render(<List />);
  await tell();
  expect(list).toMatchObject({ links: { length: FIRST_LINKS }, complete: false });
  await act(async () => all.resolve([aLink('new'), ...page, aLink('old')]));
  await vi.waitFor(() => expect(list).toMatchObject({ links: { length: FIRST_LINKS + 2 }, complete: true }));
});
