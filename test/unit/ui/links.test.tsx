// @vitest-environment happy-dom
import '../../gallery/stubbed.ts';

import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Actions } from '../../../src/links/actions.ts';
import { Links, type LinksProps } from '../../../src/links/links.tsx';
import { useRemoval } from '../../../src/links/use-removal.ts';
import type { Link } from '../../../src/queue/types.ts';
import { LINKS, link } from '../../gallery/fixtures.ts';
import { DEFAULTS, LINKS_STATES, linksIn } from '../../gallery/links-states.tsx';
import { control, press, render, textOf, type } from './render.ts';

const [first, second] = LINKS as [Link, Link];
const rows = () => document.querySelectorAll('.link');

async function links(change: Partial<LinksProps> = {}, actions: Partial<Actions> = {}) {
  await render(<Links {...DEFAULTS} {...change} actions={{ ...DEFAULTS.actions, ...actions }} />);
}

test('finds links by words, and exports what is found', async () => {
  const exportCsv = vi.fn<Actions['exportCsv']>();
  await links({}, { exportCsv });
  await type(control('Search links'), 'winter');
  expect(rows()).toHaveLength(1);
  expect(textOf(document.querySelector('[role="status"]'))).toBe('Links found: 1');
  await press('Export CSV');
  expect(exportCsv).toHaveBeenCalledWith([second]);
  await type(control('Search links'), 'summer');
  expect(textOf(document.querySelector('.empty'))).toBe('Nothing found Search looks at titles, URLs and short URLs.');
});

test('puts no more into the page than is asked for', async () => {
  await links({ links: Array.from({ length: 2340 }, () => link()) });
  expect(rows()).toHaveLength(100);
  await press('Show more (100 of 2,340)');
  expect(rows()).toHaveLength(200);
});

test('asks before it empties the list', async () => {
  const clear = vi.fn<Actions['clear']>();
  await links({}, { clear });
  await press('Clear all');
  expect(clear).not.toHaveBeenCalled();
  document.querySelector<HTMLElement>('dialog .is-danger')?.click();
  expect(clear).toHaveBeenCalledOnce();
});

test.each(Object.keys(LINKS_STATES))('%s shows foreign text as text, and no string that is missing', async (state) => {
  const page = await render(linksIn(state));
  expect(page.querySelectorAll('img, script, a[href]')).toHaveLength(0);
  expect(page.outerHTML).not.toMatch(/\?\w+\?/);
});

describe('a removal', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function Page({ commit }: { commit: (link: Link) => Promise<void> }) {
    const { hidden, remove, undo } = useRemoval(commit);
    return <Links {...DEFAULTS} removed={hidden} actions={{ ...DEFAULTS.actions, remove, undo }} />;
  }

  async function removing() {
    const commit = vi.fn<(link: Link) => Promise<void>>().mockResolvedValue();
    await render(<Page commit={commit} />);
    await press(`Remove ${first.shortUrl} from this list`);
    expect(rows()).toHaveLength(LINKS.length - 1);
    return commit;
  }

  test('can be undone, and then nothing has happened', async () => {
    const commit = await removing();
    await press('Undo');
    await act(async () => void (await vi.advanceTimersByTimeAsync(60_000)));
    expect(rows()).toHaveLength(LINKS.length);
    expect(commit).not.toHaveBeenCalled();
  });

  test('is done once, when its time is up', async () => {
    const commit = await removing();
    await act(async () => void (await vi.advanceTimersByTimeAsync(60_000)));
    expect(commit.mock.calls).toEqual([[first]]);
    expect(document.querySelector('.toast')).toBeNull();
  });

  test('is done at once, when the next is removed or the page is left', async () => {
    const commit = await removing();
    await press(`Remove ${second.shortUrl} from this list`);
    expect(commit.mock.calls).toEqual([[first]]);
    await act(() => void dispatchEvent(new Event('pagehide')));
    expect(commit.mock.calls).toEqual([[first], [second]]);
  });
});
