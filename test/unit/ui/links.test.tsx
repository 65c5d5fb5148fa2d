// @vitest-environment happy-dom
import '../../gallery/stubbed.ts';

import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LinksHandlers } from '../../../src/links/handlers.ts';
import { Links, type LinksProps } from '../../../src/links/links.tsx';
import { useRemoval } from '../../../src/links/use-removal.ts';
import type { Link } from '../../../src/queue/types.ts';
import { LINKS, link } from '../../gallery/fixtures.ts';
import { DEFAULTS, LINKS_STATES, linksIn } from '../../gallery/links-states.tsx';
import { control, press, render, textOf, type } from './render.ts';

const [first, second] = LINKS as [Link, Link];
const rows = () => document.querySelectorAll<HTMLElement>('.link');
const shown = () => [...rows()].map((row) => row.dataset.link);
const said = () => textOf([...document.querySelectorAll('[role="status"]')].at(-1) ?? null);

async function links(change: Partial<LinksProps> = {}, handlers: Partial<LinksHandlers> = {}) {
  await render(<Links {...DEFAULTS} {...change} handlers={{ ...DEFAULTS.handlers, ...handlers }} />);
}

test('finds links by words, and exports what is found', async () => {
  const exportCsv = vi.fn<LinksHandlers['exportCsv']>();
  await links({}, { exportCsv });
  await type(control('Search links'), 'winter');
  expect(rows()).toHaveLength(1);
  expect(textOf(document.querySelector('[role="status"]'))).toBe('Links found: 1');
  await press('Export CSV');
  expect(exportCsv).toHaveBeenCalledWith([second]);
  await type(control('Search links'), 'summer');
  expect(textOf(document.querySelector('.empty'))).toBe('Nothing found Search looks at titles, URLs and short URLs.');
});

test('holds the rows that the window shows, however many links there are', async () => {
  await links({ links: Array.from({ length: 10_000 }, () => link()) });
  expect(rows().length).toBeGreaterThan(5);
  expect(rows().length).toBeLessThan(100);
  expect(rows()[0]?.getAttribute('aria-setsize')).toBe('10000');
});

test('a row is one stop of the Tab key, and arrow keys go on from there', async () => {
  await links();
  const stops = () => [...(rows()[0]?.querySelectorAll('button') ?? [])].map((button) => button.tabIndex);
  expect(stops()).toEqual([0, -1, -1, -1, -1]);
  const row = (index: number) => [...(rows()[index]?.querySelectorAll<HTMLElement>('button') ?? [])];
  const key = (name: string) =>
    act(() => void document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true })));
  row(0)[0]?.focus();
  await key('ArrowRight');
  expect(document.activeElement).toBe(row(0)[1]);
  await key('ArrowDown');
  expect(document.activeElement).toBe(row(1)[1]);
  await key('End');
  expect(document.activeElement).toBe(row(LINKS.length - 1)[1]);
  await key('Home');
  await key('ArrowLeft');
  expect(document.activeElement).toBe(row(0)[0]);
});

test('shows what still waits, and why', async () => {
  await render(linksIn('waiting'));
  expect(textOf(document.querySelector('.waiting h2'))).toMatch(/30$/);
  expect(document.querySelectorAll('.waiting-row')).toHaveLength(5);
  expect(textOf(document.querySelector('.empty'))).toContain('What waits above appears here');
});

test('says which connection made a link, where there are two', async () => {
  await render(linksIn('two-connections'));
  expect([...document.querySelectorAll('.link-connection')].map(textOf)).toEqual(expect.arrayContaining(['Work']));
  await links();
  expect(document.querySelector('.link-connection')).toBeNull();
});

test('leads to the options', async () => {
  const openOptions = vi.fn<LinksHandlers['openOptions']>();
  await links({}, { openOptions });
  await press('Options');
  expect(openOptions).toHaveBeenCalledOnce();
});

test('asks before it empties the list', async () => {
  const clear = vi.fn<LinksHandlers['clear']>();
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

test('what went wrong is shown, read out, and put away', async () => {
  const dismiss = vi.fn<LinksHandlers['dismiss']>();
  await links({ flash: { text: 'The disk is full.' } }, { dismiss });
  expect(textOf(document.querySelector('.toast p'))).toBe('The disk is full.');
  expect(said()).toBe('The disk is full.');
  await press('Dismiss');
  expect(dismiss).toHaveBeenCalledOnce();
});

describe('a removal', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  type Commit = (link: Link) => Promise<boolean>;
  const UP = 60_000;

  /** The page over a background that takes out what it is told to. */
  function Page({ commit, all }: { commit: Commit; all: Link[] }) {
    const removal = useRemoval(commit);
    return <Links {...DEFAULTS} links={all} {...removal} handlers={{ ...DEFAULTS.handlers, ...removal }} />;
  }

  async function removing(commit = vi.fn<Commit>().mockResolvedValue(true)) {
    await render(<Page commit={commit} all={LINKS} />);
    await removeRow(first);
    expect(shown()).not.toContain(first.id);
    return commit;
  }
  const removeRow = ({ shortUrl }: Link) => press(`Delete ${shortUrl}`);
  const pass = (time: number) => act(async () => void (await vi.advanceTimersByTimeAsync(time)));
  const undoByKey = () =>
    act(
      () => void document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true })),
    );

  test.each([
    ['its button', () => press('Undo Ctrl+Z')],
    ['its keys', undoByKey],
  ])('can be undone by %s, and then nothing has happened', async (_name, undo) => {
    const commit = await removing();
    await undo();
    await pass(UP);
    expect(rows()).toHaveLength(LINKS.length);
    expect(commit).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(control(`Delete ${first.shortUrl}`));
  });

  test('is done once, when its time is up', async () => {
    const commit = await removing();
    await pass(UP);
    expect(commit.mock.calls).toEqual([[first]]);
    expect(document.querySelector('.toast')).toBeNull();
  });

  test('is done at once, when the next is removed or the page is left', async () => {
    const commit = await removing();
    await removeRow(second);
    expect(commit.mock.calls).toEqual([[first]]);
    await act(() => void dispatchEvent(new Event('pagehide')));
    expect(commit.mock.calls).toEqual([[first], [second]]);
  });

  test('never shows the link again, however late the view is read', async () => {
    const commit = await removing(vi.fn<Commit>().mockReturnValue(new Promise(() => {})));
    await removeRow(second);
    expect(shown()).toEqual(LINKS.slice(2).map(({ id }) => id));
    commit.mockResolvedValue(true);
    await pass(UP);
    expect(shown()).toEqual(LINKS.slice(2).map(({ id }) => id));
  });

  test('that is refused shows the link again', async () => {
    await removing(vi.fn<Commit>().mockResolvedValue(false));
    await pass(UP);
    expect(rows()).toHaveLength(LINKS.length);
  });

  test('moves the focus to the next row, and from the last row to the one before', async () => {
    await removing();
    expect(document.activeElement).toBe(control(`Delete ${second.shortUrl}`));
    await removeRow(LINKS.at(-1) as Link);
    expect(document.activeElement).toBe(control(`Delete ${LINKS.at(-2)?.shortUrl}`));
  });

  test('of the only row moves the focus to the heading', async () => {
    await render(<Page commit={vi.fn<Commit>()} all={[first]} />);
    await removeRow(first);
    expect(document.activeElement).toBe(document.querySelector('h1'));
  });

  test('is read out, and how it is undone', async () => {
    await removing();
    expect(said()).toBe(`Deleted: ${first.title}. Ctrl+Z brings it back.`);
  });

  test.each([
    ['pointer', 'mouseenter', 'mouseleave'],
    ['focus', 'focusin', 'focusout'],
  ])('waits for as long as the %s is on its toast', async (_name, comes, goes) => {
    const commit = await removing();
    const toast = document.querySelector('.toast') as HTMLElement;
    const tell = (type: string) => act(() => void toast.dispatchEvent(new Event(type, { bubbles: true })));
    await tell(comes);
    await pass(UP);
    expect(commit).not.toHaveBeenCalled();
    await tell(goes);
    await pass(UP);
    expect(commit.mock.calls).toEqual([[first]]);
  });
});
