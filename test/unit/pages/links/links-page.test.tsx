import '../../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { useDeleteWithUndo } from '../../../../src/pages/links/delete-with-undo.tsx';
import { LinksPage, type LinksPageProps } from '../../../../src/pages/links/links-page.tsx';
import type { LinksActions } from '../../../../src/pages/links/use-links-actions.ts';
import type { Link } from '../../../../src/queue/types.ts';
import type { ServiceProblem } from '../../../../src/services/link-operations.ts';
import { CONNECTION, LINKS, link, NOW, SECOND_CONNECTION, SPEC_ONLY } from '../../../gallery/fixtures.ts';
import { DEFAULTS, LINKS_STATES, linksIn } from '../../../gallery/links-states.tsx';
import { control, press, render, rerender, submit, textOf, type } from '../../support/render.ts';

// @vitest-environment happy-dom

const [first, second] = LINKS as [Link, Link];
const FEATURES = ['links', 'edit', 'analytics'];
const rows = () => document.querySelectorAll<HTMLElement>('.link');
const shown = () => [...rows()].map((row) => row.dataset.link);
const said = () => textOf([...document.querySelectorAll('[role="status"]')].at(-1) ?? null);

async function links(change: Partial<LinksPageProps> = {}, handlers: Partial<LinksActions> = {}) {
  await render(<LinksPage {...DEFAULTS} {...change} handlers={{ ...DEFAULTS.handlers, ...handlers }} />);
}

test('finds links by words, and exports what is found', async () => {
  const exportCsv = vi.fn<LinksActions['exportCsv']>();
  await links({}, { exportCsv });
  await type(control('Search links'), 'winter');
  expect(rows()).toHaveLength(1);
  expect(textOf(document.querySelector('[role="status"]'))).toBe('Links found: 1');
  await press('Export CSV');
  expect(exportCsv).toHaveBeenCalledWith([second]);
  await type(control('Search links'), 'summer');
  expect(textOf(document.querySelector('.empty'))).toBe('Nothing found Search looks at titles, URLs and short URLs.');
});

test('says in its head that it shows what is private', async () => {
  await links();
  expect(document.querySelector('header .chip')).toBeNull();
  await links({ isPrivate: true });
  expect(textOf(document.querySelector('header .chip'))).toBe('Private: not saved');
});

test('exports nothing of private windows', async () => {
  const exportCsv = vi.fn<LinksActions['exportCsv']>();
  await links({ links: [link({ private: true }), first] }, { exportCsv });
  await press('Export CSV');
  expect(exportCsv).toHaveBeenCalledExactlyOnceWith([first]);
  await links({ links: [link({ private: true })] }, { exportCsv });
  expect(control('Export CSV')).toHaveProperty('disabled', true);
});

test('exports nothing before all links are read', async () => {
  await links({ complete: false });
  expect(control('Export CSV')).toHaveProperty('disabled', true);
});

test('clears only links that no service lists', async () => {
  const managed = { ...CONNECTION, service: { name: 'Terse', shortBaseUrl: 'https://go.example', features: FEATURES } };
  await links({ links: [first], connections: [managed] });
  expect(control('Clear local links')).toHaveProperty('disabled', true);
  await links({ links: [first, link({ connectionId: null })], connections: [managed] });
  expect(control('Clear local links')).toHaveProperty('disabled', false);
});

test('highlights the host of a link without a connection', async () => {
  await links({ links: [link({ connectionId: null }), link({})] });
  expect([...rows()].map((row) => row.querySelector('.is-other-host') !== null)).toEqual([true, false]);
});

test('begins with what it is opened to look for', async () => {
  await links({ search: 'winter' });
  expect(rows()).toHaveLength(1);
  expect((control('Search links') as HTMLInputElement).value).toBe('winter');
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
  expect(textOf(document.querySelector('.empty'))).toContain('Waiting links appear here');
});

test('says which connection made a link, where there are two', async () => {
  await render(linksIn('two-connections'));
  expect([...document.querySelectorAll('.link-connection')].map(textOf)).toEqual(expect.arrayContaining(['Work']));
  await links();
  expect(document.querySelector('.link-connection')).toBeNull();
});

test('leads to the options', async () => {
  const openOptions = vi.fn<LinksActions['openOptions']>();
  await links({}, { openOptions });
  await press('Options');
  expect(openOptions).toHaveBeenCalledOnce();
});

test('asks before it empties the list', async () => {
  const clear = vi.fn<LinksActions['clear']>();
  await links({ links: [link({ connectionId: null })] }, { clear });
  await press('Clear local links');
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
  const dismiss = vi.fn<LinksActions['dismiss']>();
  await links({ flash: { text: 'The disk is full.' } }, { dismiss });
  expect(textOf(document.querySelector('.toast p'))).toBe('The disk is full.');
  expect(said()).toBe('The disk is full.');
  await press('Dismiss');
  expect(dismiss).toHaveBeenCalledOnce();
});

describe('what is listed', () => {
  const choose = (label: string, value: string) =>
    act(() => {
      const select = document.querySelector(`select[aria-label="${label}"]`) as HTMLSelectElement;
      select.value = value;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
  const three = [
    link({ title: 'Badger', clicks: 3, elsewhere: true }),
    link({ title: 'Otter', clicks: 9, expiresAt: NOW - 1 }),
    link({ title: 'Beaver', clicks: 5, connectionId: SECOND_CONNECTION.id }),
  ];
  const titles = () => [...document.querySelectorAll('.link-title')].map(textOf);

  beforeEach(() => links({ links: three, connections: [CONNECTION, SECOND_CONNECTION] }));

  test('is in the order that is chosen', async () => {
    expect(titles()).toEqual(['Badger', 'Otter', 'Beaver']);
    await choose('Sort by', 'clicks');
    expect(titles()).toEqual(['Otter', 'Beaver', 'Badger']);
    await choose('Sort by', 'title');
    expect(titles()).toEqual(['Badger', 'Beaver', 'Otter']);
  });

  test('is what is chosen, and how many that are is read out', async () => {
    await choose('Show', 'expired');
    expect(titles()).toEqual(['Otter']);
    expect(textOf(document.querySelector('[role="status"]'))).toBe('Links found: 1');
    await choose('Show', 'made_here');
    expect(titles()).toEqual(['Otter', 'Beaver']);
    await choose('Connection', CONNECTION.id);
    expect(titles()).toEqual(['Otter']);
    await choose('Show', 'expired');
    await choose('Connection', SECOND_CONNECTION.id);
    expect(textOf(document.querySelector('.empty'))).toContain('Show all links, or search for something else.');
  });

  test('is everything again where the connection that was chosen is forgotten', async () => {
    await choose('Connection', SECOND_CONNECTION.id);
    expect(titles()).toEqual(['Beaver']);
    await rerender(<LinksPage {...DEFAULTS} links={three} connections={[CONNECTION]} />);
    expect(titles()).toHaveLength(3);
  });
});

describe('what is said of a service’s list', () => {
  const note = () => textOf(document.querySelector('.history'));

  test.each([
    ['some', 'links.example.com'],
    ['listed', 'Links of links.example.com, updated 12 min ago.'],
    ['reading', 'Loading the links of links.example.com. So far: 1,200.'],
    ['cut-and-unreadable', '3 entries of the list could not be read.'],
    ['cut-and-unreadable', 'Older links are not shown.'],
    ['not-reachable', 'links.example.com cannot be reached. Try again later. Last updated 12 min ago.'],
    ['not-readable', 'Your key for links.example.com does not have permission to read links'],
    ['refused', 'links.example.com refused your API key.'],
    ['two-services', 'Work does not list links. Only those made in this browser are shown.'],
  ])('%s: %s', async (state, sentence) => {
    await render(linksIn(state));
    expect(note()).toContain(sentence);
  });

  test('leads to the way out', async () => {
    const handlers = {
      allowAccess: vi.fn<LinksActions['allowAccess']>(),
      openOptions: vi.fn<LinksActions['openOptions']>(),
      readAgain: vi.fn<LinksActions['readAgain']>(),
    };
    const inState = (problem: ServiceProblem) =>
      links({ history: new Map([[CONNECTION.id, { reading: null, problem }]]) }, handlers);
    await inState('permission');
    await press('Allow');
    expect(handlers.allowAccess).toHaveBeenCalledWith(CONNECTION);
    await inState('unauthorized');
    await press('Open options');
    expect(handlers.openOptions).toHaveBeenCalledOnce();
    await inState('unreachable');
    await press('Reload the links of links.example.com');
    expect(handlers.readAgain).toHaveBeenCalledWith(CONNECTION);
  });
});

describe('a row', () => {
  const MANAGED = { ...CONNECTION, service: { name: 'T', shortBaseUrl: 'https://go.example', features: FEATURES } };
  const names = () =>
    [...(rows()[0]?.querySelectorAll('button') ?? [])].map((button) => button.getAttribute('aria-label'));

  test('offers what its service can do', async () => {
    await links({ links: [{ ...first, clicks: 1 }], connections: [MANAGED] });
    expect(names().slice(-3)).toEqual([
      `1 click on ${first.shortUrl}`,
      `Edit ${first.shortUrl}`,
      `Delete ${first.shortUrl}`,
    ]);
  });

  test.each<[string, Link, Partial<LinksPageProps>, string]>([
    ['its service lists nothing', first, { connections: [SPEC_ONLY] }, ''],
    ['its connection was forgotten', { ...first, connectionId: null }, {}, 'Only in this browser'],
    ['its service lists it no more', { ...first, unlisted: true }, {}, 'No longer listed'],
  ])('offers to take a link off the list alone where %s', async (_name, one, props, note) => {
    await links({ links: [one], connections: [MANAGED], ...props });
    expect(names().at(-1)).toBe(`Remove ${first.shortUrl} from this list`);
    expect(names().join()).not.toMatch(/Edit|click/);
    expect(textOf(document.querySelector('.link-note'))).toContain(note);
  });

  test('offers no edit, and reads no list, where what comes of it could be kept nowhere', async () => {
    await links({ links: [first], connections: [MANAGED], canKeep: false });
    expect(names().join()).not.toContain('Edit');
    expect(document.querySelector('[aria-label^="Read the links of"]')).toBeNull();
    expect(document.querySelector('.history')).toBeNull();
    await links({ connections: [{ ...MANAGED, listRead: { at: NOW, unreadable: 0, isCut: false } }], canKeep: false });
    expect(textOf(document.querySelector('.history'))).toBe('Links of links.example.com, updated just now.');
  });

  test('shows which links are private, and offers no edit of these: nothing of them is kept', async () => {
    const secret = link({ private: true, title: 'Secret' });
    await links({ links: [secret, first], connections: [MANAGED] });
    const notes = [...rows()].map((row) => [...row.querySelectorAll('.link-note')].map(textOf));
    expect(notes).toEqual([['Private: not saved'], []]);
    const edits = [...document.querySelectorAll('.link button')].map((one) => one.getAttribute('aria-label'));
    expect(edits.filter((name) => name?.startsWith('Edit'))).toEqual([`Edit ${first.shortUrl}`]);
  });
});

describe('an edit', () => {
  const lasting = { ...first, expiresAt: NOW + 40 * 86_400_000 };

  async function editing(edit: LinksActions['edit'], one: Link = first) {
    const managed = { ...CONNECTION, service: { name: 'T', shortBaseUrl: 'https://go.example', features: FEATURES } };
    await links({ links: [one], connections: [managed] }, { edit });
    await press(`Edit ${one.shortUrl}`);
    await vi.waitFor(() => expect(form()).not.toBeNull());
  }
  const form = () => document.querySelector<HTMLFormElement>('.edit form');
  const field = (id: string) => document.getElementById(id) as HTMLInputElement;

  test('sends what was changed, and nothing else', async () => {
    const edit = vi.fn<LinksActions['edit']>().mockResolvedValue(null);
    await editing(edit);
    await type(field('edit-name'), '  ');
    await submit(form());
    expect(edit).toHaveBeenCalledWith(first, { title: null });
    await vi.waitFor(() => expect(form()).toBeNull());
  });

  test('of the address and the expiry is sent as the service takes it', async () => {
    const edit = vi.fn<LinksActions['edit']>().mockResolvedValue(null);
    await editing(edit, lasting);
    await type(field('edit-url'), ' https://new.example/ ');
    await type(field('edit-expiry'), '');
    await submit(form());
    expect(edit).toHaveBeenCalledWith(lasting, { url: 'https://new.example/', expiresAt: null });
  });

  test('that changes nothing asks nobody', async () => {
    const edit = vi.fn<LinksActions['edit']>();
    await editing(edit, lasting);
    await submit(form());
    await vi.waitFor(() => expect(form()).toBeNull());
    expect(edit).not.toHaveBeenCalled();
  });

  test('that is refused once its dialog was left is said over the page', async () => {
    const answer = Promise.withResolvers<string | null>();
    const tell = vi.fn<LinksActions['tell']>();
    const managed = { ...CONNECTION, service: { name: 'T', shortBaseUrl: 'https://go.example', features: FEATURES } };
    await links({ links: [first], connections: [managed] }, { edit: () => answer.promise, tell });
    await press(`Edit ${first.shortUrl}`);
    await vi.waitFor(() => expect(form()).not.toBeNull());
    await type(field('edit-name'), 'Another');
    await submit(form());
    await press('Cancel');
    await vi.waitFor(() => expect(form()).toBeNull());
    await act(async () => answer.resolve('No.'));
    expect(tell.mock.calls).toEqual([['No.', first]]);
  });

  test('that is refused says why, and keeps what was typed', async () => {
    await editing(vi.fn<LinksActions['edit']>().mockResolvedValue('The service does not take this URL.'));
    await type(field('edit-url'), 'ftp://new.example/');
    await submit(form());
    expect(textOf(document.querySelector('.edit [role="alert"]'))).toBe('The service does not take this URL.');
    expect(field('edit-url').value).toBe('ftp://new.example/');
  });

  test('keeps the expiry if the date or the time is incomplete, and says so', async () => {
    const edit = vi.fn<LinksActions['edit']>();
    await editing(edit, lasting);
    // Browsers report an empty value if a date field is incomplete.
    await type(field('edit-expiry'), '');
    Object.defineProperty(field('edit-expiry'), 'validity', { value: { badInput: true } });
    await submit(form());
    expect(edit).not.toHaveBeenCalled();
    expect(textOf(document.querySelector('.edit [role="alert"]'))).toBe('Choose a date and time in the future.');
    expect(document.activeElement).toBe(field('edit-expiry'));
  });

  test('to a moment that has passed asks nobody', async () => {
    const edit = vi.fn<LinksActions['edit']>();
    await editing(edit);
    await type(field('edit-expiry'), '2020-01-01T10:00');
    await submit(form());
    expect(edit).not.toHaveBeenCalled();
    expect(textOf(document.querySelector('.edit [role="alert"]'))).toBe('Choose a date and time in the future.');
  });
});

describe('the clicks of a link', () => {
  const asking = async (readClicks: LinksActions['readClicks']) => {
    await links({ links: [{ ...first, clicks: 2 }] }, { readClicks });
    expect(document.querySelector('.clicks')).toBeNull();
    await press(`2 clicks on ${first.shortUrl}`);
    await vi.waitFor(() => expect(document.querySelector('.clicks')).not.toBeNull());
  };

  test('are asked for when they are opened, and drawn', async () => {
    await asking(DEFAULTS.handlers.readClicks);
    await vi.waitFor(() => expect(document.querySelectorAll('.chart rect')).toHaveLength(30));
    expect(textOf(document.querySelector('.clicks-sums'))).toBe('243 clicks 190 visitors 12 bots');
  });

  test('that the service does not tell are said to be so', async () => {
    await asking(async () => 'links.example.com cannot be reached.');
    await vi.waitFor(() =>
      expect(textOf(document.querySelector('.clicks .problem'))).toBe('links.example.com cannot be reached.'),
    );
  });
});

describe('a removal', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  type Commit = (link: Link) => Promise<boolean>;
  const UP = 60_000;

  /** Renders the links page with a background worker that deletes links on command. */
  function Page({ commit, all }: { commit: Commit; all: Link[] }) {
    const removal = useDeleteWithUndo((link) => () => commit(link));
    return <LinksPage {...DEFAULTS} links={all} {...removal} handlers={{ ...DEFAULTS.handlers, ...removal }} />;
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

  test('goes to the service that the link had when it was removed', async () => {
    let service = 'then';
    const asked: string[] = [];
    function Moving() {
      const removal = useDeleteWithUndo(() => {
        const at = service;
        return async () => asked.push(at) > 0;
      });
      return <LinksPage {...DEFAULTS} {...removal} handlers={{ ...DEFAULTS.handlers, ...removal }} />;
    }
    await render(<Moving />);
    await removeRow(first);
    service = 'now';
    await pass(UP);
    expect(asked).toEqual(['then']);
  });

  test('is read out, and how it is undone', async () => {
    await removing();
    expect(said()).toBe(`Deleted: ${first.title}. Press Ctrl+Z to undo.`);
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
