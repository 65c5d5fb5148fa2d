import '../../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LinksPage } from '../../../../src/pages/links/links-page.tsx';
import { FIRST_LINKS, type LinksDeps } from '../../../../src/pages/links/links-store.ts';
import type { Connection, Link } from '../../../../src/queue/types.ts';
import {
  type LinkChanges,
  type ServiceFailure,
  type ServiceProblem,
  serviceFailure,
} from '../../../../src/servers/adapter.ts';
import {
  CONNECTION,
  LINKS,
  link,
  NOT_LOADED,
  NOW,
  queue,
  queuesView,
  request,
  SPEC_ONLY,
} from '../../../gallery/fixtures.ts';
import { LINKS_STATES, type LinksGiven, linksIn, linksStore } from '../../../gallery/links-states.tsx';
import { acting, control, press, render, submit, textOf, type } from '../../support/render.ts';

// @vitest-environment happy-dom

const [first, second] = LINKS as [Link, Link];
const FEATURES = ['links', 'edit', 'analytics', 'tags'];
const MANAGED = { ...CONNECTION, service: { name: 'T', shortBaseUrl: 'https://go.example', features: FEATURES } };
const rows = () => document.querySelectorAll<HTMLElement>('.link');
const shown = () => [...rows()].map((row) => row.dataset.link);
const menuItems = () => [...document.querySelectorAll<HTMLButtonElement>('[role="menuitem"]')];
const viewOf = (...connections: Connection[]) => queuesView(connections.map((connection) => queue({ connection })));
const said = () => textOf([...document.querySelectorAll('[role="status"]')].at(-1) ?? null);

/** Opens the menu of a link. */
const openMenu = ({ shortUrl }: Link) => press(`More actions for ${shortUrl}`);

/** Chooses an action in the menu of a link. */
async function choose(one: Link, item: string): Promise<void> {
  await openMenu(one);
  await press(item);
}

/** Shows the page. */
async function links(given: LinksGiven = {}, deps: Partial<LinksDeps> = {}) {
  const store = linksStore(given, deps);
  await render(<LinksPage store={store} />);
  return store;
}

/** Returns a function that saves a file, and the lines of the saved CSV file below its header. */
function savedFile() {
  const saveFile = vi.fn<LinksDeps['saveFile']>();
  const savedLines = async () => ((await saveFile.mock.lastCall?.[0].text()) ?? '').trim().split('\n').slice(1);
  return { saveFile, savedLines };
}

test('a search filters the links, and only the found links are exported', async () => {
  const { saveFile, savedLines } = savedFile();
  await links({}, { saveFile });
  await type(control('Search links'), 'winter');
  expect(rows()).toHaveLength(1);
  expect(textOf(document.querySelector('[role="status"]'))).toBe('Links found: 1');
  await press('Export');
  expect(await savedLines()).toEqual([expect.stringContaining(second.shortUrl)]);
  await type(control('Search links'), 'summer');
  expect(textOf(document.querySelector('.empty'))).toBe(
    'Nothing found You can search by title, address or short URL. Show all links',
  );
});

test('tags are shown as text, and pressing a tag shows only its links', async () => {
  const hostile = '<b>Birds\u202E</b>';
  const tagged = [
    link({ tags: [hostile, 'owls'] }),
    link({ title: 'owls', tags: [] }),
    link({ tags: ['Owls'] }),
    first,
  ];
  await links({ links: tagged });
  const tags = () => [...document.querySelectorAll('.tags li')].map(textOf);
  expect(tags()).toEqual(['<b>Birds</b>', 'owls', 'Owls']);
  expect(document.querySelectorAll('.tags')).toHaveLength(2);
  await press('Show links tagged “owls”');
  expect((control('Search links') as HTMLInputElement).value).toBe('#owls');
  expect(shown()).toEqual([tagged[0]?.id, tagged[2]?.id]);
});

test('only the first tags of a link are shown, with the number of the others, and the search finds all', async () => {
  const many = Array.from({ length: 5_000 }, (_, index) => `tag ${index}`);
  await links({ links: [link({ tags: many }), link({ tags: many.slice(0, 10) })], search: '#tag 4999' });
  expect(rows()).toHaveLength(1);
  const ofRows = () => [...rows()].map((row) => [...row.querySelectorAll('.tags li')].map(textOf));
  expect(ofRows()).toEqual([[...many.slice(0, 10), '+4,990']]);
  await type(control('Search links') as HTMLInputElement, '');
  expect(ofRows()[1]).toEqual(many.slice(0, 10));
});

test('the host of a link without a connection is highlighted', async () => {
  await links({ links: [link({ connectionId: null }), link({})] });
  expect([...rows()].map((row) => row.querySelector('.is-other-host') !== null)).toEqual([true, false]);
});

test('while older links are still being read, the list has an accessible name and cannot be exported', async () => {
  await links({ links: Array.from({ length: FIRST_LINKS }, () => link()) });
  expect(control('Export')).toHaveProperty('disabled', true);
  const list = document.querySelector('.card') as HTMLElement;
  expect(textOf(document.getElementById(list.getAttribute('aria-labelledby') ?? ''))).toBe('Links');
});

describe('the page without links', () => {
  const empty = () => textOf(document.querySelector('.empty'));

  test('leads to the bulk page', async () => {
    await links({ links: [] });
    expect(empty()).toBe('No links yet Open any page and click Terse in the toolbar. Paste an address');
    expect(control('Paste an address').getAttribute('href')).toBe('/src/pages/bulk/index.html');
    expect(document.querySelector('input')).toBeNull();
  });

  test('leads to the queue if requests wait', async () => {
    await links({ links: [], view: queuesView([queue({ requests: [request()] })]) });
    expect(empty()).toBe('No links yet Your first links are waiting in the queue. Open the queue');
  });

  test('leads to the options if no server is connected', async () => {
    const openOptions = vi.fn<LinksDeps['openOptions']>();
    await links({ links: [], view: queuesView([]) }, { openOptions });
    await press('Connect a server');
    expect(openOptions).toHaveBeenCalledOnce();
  });
});

describe('the menu of a link', () => {
  const key = (name: string) =>
    act(() => void document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true })));

  beforeEach(async () => {
    await links();
    await openMenu(first);
  });

  test('gets the focus when it opens, and arrow keys move between its items', async () => {
    expect(document.activeElement).toBe(menuItems()[0]);
    await key('ArrowUp');
    expect(document.activeElement).toBe(menuItems().at(-1));
    await key('ArrowDown');
    expect(document.activeElement).toBe(menuItems()[0]);
  });

  test('closes with Escape, and the focus returns to its button', async () => {
    await key('Escape');
    expect(menuItems()).toEqual([]);
    expect(document.activeElement).toBe(control(`More actions for ${first.shortUrl}`));
  });

  test('closes when the focus leaves it, but not while another window is active', async () => {
    await act(() => void document.activeElement?.dispatchEvent(new FocusEvent('focusout', { bubbles: true })));
    expect(menuItems()).toContain(document.activeElement);
    await act(() => control('Search links').focus());
    expect(menuItems()).toEqual([]);
  });
});

describe('selected links', () => {
  const bar = () => document.querySelector('.toolbar');
  const selectBoth = async (deps: Partial<LinksDeps> = {}, given: LinksGiven = {}) => {
    const store = await links({ view: viewOf(MANAGED), ...given }, deps);
    await press(`Select ${first.title}`);
    await press(`Select ${second.title}`);
    return store;
  };

  test('are counted, and can be copied and exported', async () => {
    const writeClipboard = vi.fn<LinksDeps['writeClipboard']>();
    const { saveFile, savedLines } = savedFile();
    await selectBoth({ writeClipboard, saveFile });
    expect(bar()?.getAttribute('aria-label')).toBe('2 selected');
    const [copyAll, exportAll] = bar()?.querySelectorAll('button') ?? [];
    await act(() => copyAll?.click());
    await act(() => exportAll?.click());
    expect(writeClipboard.mock.calls).toEqual([[`${first.shortUrl}\n${second.shortUrl}`]]);
    expect(await savedLines()).toHaveLength(2);
  });

  test('are announced after copying: their number, or the short URL of a single link', async () => {
    const store = await selectBoth();
    await acting(() => store.copy(`${first.shortUrl}\n${second.shortUrl}`));
    expect(textOf(bar()?.querySelector('button') ?? null)).toBe('Copied');
    expect(said()).toBe('2 short URLs copied.');
    await press(`Select ${second.title}`);
    expect(textOf(bar()?.querySelector('button') ?? null)).toBe('Copy');
    await acting(() => store.copy(first.shortUrl));
    expect(said()).toBe(`Copied ${first.shortUrl}`);
  });

  test('are all found links after "Select all links", even if not all are shown', async () => {
    await links({ links: Array.from({ length: 250 }, () => link()) });
    await press('Select all links');
    expect(bar()?.getAttribute('aria-label')).toBe('250 selected');
    await press('Select all links');
    expect(bar()).toBeNull();
  });

  test('are only those that the search finds', async () => {
    await selectBoth();
    await type(control('Search links'), 'winter');
    expect(bar()?.getAttribute('aria-label')).toBe('1 selected');
    await type(control('Search links'), '');
    expect(bar()?.getAttribute('aria-label')).toBe('2 selected');
  });

  test.each<[string, LinksGiven, string]>([
    ['deleted if a server lists them', {}, '2 links deleted. Their short URLs will no longer work.'],
    [
      'deleted, with another message, if only some are on a server',
      { links: [first, { ...second, connectionId: null }] },
      '2 links deleted. The short URLs on your servers will no longer work. The other links are only removed from this list.',
    ],
    [
      'only removed from the list if no server lists them',
      { view: viewOf(SPEC_ONLY) },
      '2 links removed from this list. Their short URLs keep working.',
    ],
  ])('are %s', async (_what, given, message) => {
    const store = await selectBoth({}, given);
    await press('Delete');
    expect(said()).toBe(message);
    expect(store.deletion.pending.value?.links).toHaveLength(2);
  });
});

test('each link names its server if two servers are connected', async () => {
  await render(linksIn('two-connections'));
  expect([...document.querySelectorAll('.link-connection')].map(textOf)).toEqual(expect.arrayContaining(['Work']));
  await links();
  expect(document.querySelector('.link-connection')).toBeNull();
});

test.each<[string, LinksGiven, string[]]>([
  ['the selection is cleared', {}, [`Select ${first.title}`, 'Clear selection']],
  ['the search is cleared', { search: 'summer' }, ['Show all links']],
  ['the button to read a list again moves', { sync: 'unreachable' }, ['Reload links from links.example.com']],
])('the heading gets the focus when %s', async (_what, given, names) => {
  await links({ view: viewOf(MANAGED), ...given });
  for (const name of names) {
    await act(() => control(name).focus());
    await press(name);
  }
  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
});

test('the button that reads a list keeps the focus, and does nothing during the read', async () => {
  const ask = vi.fn<() => Promise<never>>();
  await links({ view: viewOf(MANAGED), sync: 12 }, { ask });
  const button = control('Reload links from links.example.com') as HTMLButtonElement;
  await acting(() => button.click());
  expect(ask).not.toHaveBeenCalled();
  expect(button.disabled).toBe(false);
});

test.each(Object.keys(LINKS_STATES))('the state %s shows untrusted text as plain text', async (state) => {
  const page = await render(linksIn(state));
  expect(page.querySelectorAll('img, script, a[href^="http"]')).toHaveLength(0);
});

test('the list is sorted in the chosen order', async () => {
  const clicked = { Badger: 3, Otter: 9, Beaver: 5 };
  const titles = () => [...document.querySelectorAll('.link-title')].map(textOf);
  await links({ links: Object.entries(clicked).map(([title, clicks]) => link({ title, clicks })) });
  expect(titles()).toEqual(['Badger', 'Otter', 'Beaver']);
  const select = document.querySelector('select[aria-label="Sort by"]') as HTMLSelectElement;
  await act(() => {
    select.value = 'clicks';
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
  expect(titles()).toEqual(['Otter', 'Beaver', 'Badger']);
});

describe('the status of a service’s list', () => {
  const note = () => textOf(document.querySelector('.history'));

  test.each([
    ['some', 'links.example.com'],
    ['listed', 'Links from links.example.com, updated 12 min ago.'],
    ['reading', 'Loading links from links.example.com: 1,200 so far.'],
    ['cut-and-unreadable', '3 entries in the list could not be read.'],
    ['cut-and-unreadable', 'Older links are not shown.'],
    ['not-reachable', 'links.example.com cannot be reached. Try again later. Last updated 12 min ago.'],
    ['not-readable', 'Your key for links.example.com does not have permission to read links'],
    ['refused', 'links.example.com no longer accepts your API key.'],
    ['two-services', "Work doesn't provide a list of its links. Only links created in this browser are shown."],
  ])('is shown in the state %s: %s', async (state, sentence) => {
    await render(linksIn(state));
    expect(note()).toContain(sentence);
  });

  test('has a button to fix the problem', async () => {
    const asked: unknown[] = [];
    const deps = {
      requestHost: vi.fn<LinksDeps['requestHost']>().mockResolvedValue(true),
      openOptions: vi.fn<LinksDeps['openOptions']>(),
      ask: (async (message: unknown) => {
        asked.push(message);
        return { ok: true, value: null };
      }) as LinksDeps['ask'],
    };
    const syncing = { type: 'sync-links', connectionId: CONNECTION.id };
    const inState = (problem: ServiceProblem) => links({ sync: problem }, deps);
    await inState('permission');
    await press('Allow');
    expect(deps.requestHost).toHaveBeenCalledWith(CONNECTION.baseUrl);
    expect(asked).toEqual([{ type: 'try-now', connectionId: CONNECTION.id }, syncing]);
    await inState('unauthorized');
    await press('Open options');
    expect(deps.openOptions).toHaveBeenCalledOnce();
    await inState('unreachable');
    await press('Reload links from links.example.com');
    expect(asked.at(-1)).toEqual(syncing);
    expect(note()).not.toContain('cannot be reached');
  });
});

describe('the row of a link', () => {
  const MANAGED = { ...NOT_LOADED, service: { name: 'T', shortBaseUrl: 'https://go.example', features: FEATURES } };
  const names = () => menuItems().map(textOf);

  test('offers the actions that its service supports', async () => {
    await links({ links: [{ ...first, clicks: 1 }], view: viewOf(MANAGED) });
    expect(textOf(rows()[0]?.querySelector('.link-clicks') ?? null)).toBe('1 click');
    await openMenu(first);
    expect(names()).toEqual(['Open', 'QR code', 'Clicks', 'Edit', 'Delete']);
  });

  test.each<[string, Link, LinksGiven, string[]]>([
    ['its service does not list links', first, { view: viewOf(SPEC_ONLY) }, []],
    ['its connection was removed', { ...first, connectionId: null }, {}, ['Only in this browser']],
    ['its service no longer lists the link', { ...first, unlisted: true }, {}, ['No longer listed by its server']],
  ])('only offers to remove the link from the list if %s', async (_name, one, props, notes) => {
    await links({ links: [one], view: viewOf(MANAGED), ...props });
    await openMenu(one);
    expect(names()).toEqual(['Open', 'QR code', 'Remove from list']);
    expect([...document.querySelectorAll('.link-note')].map(textOf)).toEqual(notes);
  });
});

describe('an edit', () => {
  const lasting = { ...first, expiresAt: NOW + 40 * 86_400_000 };

  async function editing(editLink: LinksDeps['editLink'], one: Link = first) {
    await links({ links: [one], view: viewOf(MANAGED) }, { editLink });
    await choose(one, 'Edit');
    await vi.waitFor(() => expect(form()).not.toBeNull());
  }
  const form = () => document.querySelector<HTMLFormElement>('dialog form');
  const field = (id: string) => document.getElementById(id) as HTMLInputElement;

  test('sends changed tags, and shows a message if the tags are invalid', async () => {
    const edit = vi.fn<LinksDeps['editLink']>().mockResolvedValue(null);
    const tagged = { ...first, tags: ['birds', 'long reads'] };
    await editing(edit, tagged);
    expect(field('edit-tags').value).toBe('birds, long reads');
    await type(field('edit-tags'), 'x'.repeat(51));
    await submit(form());
    expect(edit).not.toHaveBeenCalled();
    expect(textOf(form())).toContain('Enter up to 10 tags');
    expect(document.activeElement).toBe(field('edit-tags'));
    await type(field('edit-tags'), ' owls，birds, ');
    await submit(form());
    expect(edit).toHaveBeenCalledWith(MANAGED, tagged, { tags: ['owls', 'birds'] });
    await vi.waitFor(() => expect(form()).toBeNull());
  });

  test('does not offer the tags of a link whose tags are unknown', async () => {
    await editing(async () => null);
    expect(field('edit-tags')).toBeNull();
  });

  const manyTags = Array.from({ length: 12 }, (_, index) => `tag ${index}`);
  test.each<[string, Link, Record<string, string>, LinkChanges]>([
    ['no tags', { ...first, tags: ['birds'] }, { 'edit-tags': '' }, { tags: [] }],
    ['a title beside too many tags', { ...first, tags: manyTags }, { 'edit-name': 'Another' }, { title: 'Another' }],
    ['no title', first, { 'edit-name': '  ' }, { title: null }],
    ['a URL between spaces', first, { 'edit-url': ' https://new.example/ ' }, { url: 'https://new.example/' }],
    ['no expiry', lasting, { 'edit-expiry': '' }, { expiresAt: null }],
  ])('sends only the changed fields: %s', async (_what, one, typed, changes) => {
    const edit = vi.fn<LinksDeps['editLink']>().mockResolvedValue(null);
    await editing(edit, one);
    for (const [id, text] of Object.entries(typed)) await type(field(id), text);
    await submit(form());
    expect(edit).toHaveBeenCalledExactlyOnceWith(MANAGED, one, changes);
    await vi.waitFor(() => expect(form()).toBeNull());
  });

  test('without changes sends nothing', async () => {
    const edit = vi.fn<LinksDeps['editLink']>();
    await editing(edit, lasting);
    await submit(form());
    await vi.waitFor(() => expect(form()).toBeNull());
    expect(edit).not.toHaveBeenCalled();
  });

  test('that is refused after its dialog was closed shows a message over the page', async () => {
    const answer = Promise.withResolvers<ServiceFailure | null>();
    await editing(() => answer.promise);
    await type(field('edit-name'), 'Another');
    await submit(form());
    expect(form()?.querySelectorAll('input:not([readonly])'), 'fields during the save').toHaveLength(0);
    await press('Cancel');
    await vi.waitFor(() => expect(form()).toBeNull());
    await acting(() => answer.resolve(serviceFailure('unreachable')));
    expect(textOf(document.querySelector('.toast p'))).toContain('cannot be reached');
    expect(document.querySelector('.toast p')?.textContent).toContain(first.shortUrl);
  });

  test('that is refused shows the reason, and keeps the typed text', async () => {
    await editing(async () => serviceFailure('forbidden'));
    await type(field('edit-url'), 'https://new.example/');
    await submit(form());
    expect(textOf(document.querySelector('dialog [role="alert"]'))).toContain('does not have permission');
    expect(field('edit-url').value).toBe('https://new.example/');
  });

  test.each([
    // Browsers report an empty value if a date field is incomplete.
    ['incomplete', '', true],
    ['in the past', '2020-01-01T10:00', false],
  ])('is not sent if the expiry is %s', async (_what, entered, badInput) => {
    const edit = vi.fn<LinksDeps['editLink']>();
    await editing(edit, lasting);
    await type(field('edit-expiry'), entered);
    Object.defineProperty(field('edit-expiry'), 'validity', { value: { badInput } });
    await submit(form());
    expect(edit).not.toHaveBeenCalled();
    expect(textOf(document.querySelector('dialog [role="alert"]'))).toBe('Choose a date and time in the future.');
    expect(document.activeElement).toBe(field('edit-expiry'));
  });
});

describe('a deletion', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const UP = 8_000;
  const DELETED = { ok: true as const, value: [] };
  const succeeds = () => vi.fn<LinksDeps['deleteLinks']>().mockResolvedValue(DELETED);
  /** A server that deletes none of the links. */
  const fails = () =>
    vi.fn<LinksDeps['deleteLinks']>().mockImplementation(async (some) => {
      const left = some.map(({ id }) => id);
      return { ok: true, value: [{ connectionId: CONNECTION.id, problem: 'unreachable', left }] };
    });

  async function removing(deleteLinks = succeeds()) {
    await links({}, { deleteLinks });
    await removeRow(first);
    expect(shown()).not.toContain(first.id);
    return deleteLinks;
  }
  const asked = (deleteLinks: ReturnType<typeof succeeds>) => deleteLinks.mock.calls.map(([some]) => some);
  const removeRow = (one: Link) => choose(one, 'Delete');
  const pass = (time: number) => act(async () => void (await vi.advanceTimersByTimeAsync(time)));
  /** Removes links with the selection bar. */
  const removeSelected = async (...names: string[]) => {
    for (const name of names) await press(name);
    await press('Delete');
  };

  test('can be undone with the Undo button, which has the focus, and then nothing is deleted', async () => {
    const commit = await removing();
    expect(document.activeElement).toBe(control('Undo'));
    await press('Undo');
    await pass(UP);
    expect(rows()).toHaveLength(LINKS.length);
    expect(commit).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(document.querySelector('h1'));
  });

  test('of all links can be undone until the last moment, and then no server is called', async () => {
    const commit = succeeds();
    await links({}, { deleteLinks: commit });
    await removeSelected('Select all links');
    expect(rows()).toHaveLength(0);
    await pass(UP - 1);
    await press('Undo');
    await pass(UP);
    expect(rows()).toHaveLength(LINKS.length);
    expect(commit).not.toHaveBeenCalled();
  });

  test('happens immediately if the user deletes another link', async () => {
    const commit = await removing();
    await removeRow(second);
    expect(asked(commit)).toEqual([[first]]);
  });

  test.each([
    ['that fails', () => pass(UP)],
    ['that is undone', () => press('Undo')],
  ])('of selected links %s shows the links again, none of them selected', async (_what, end) => {
    await links({}, { deleteLinks: fails() });
    await removeSelected(`Select ${first.title}`, `Select ${second.title}`);
    await end();
    expect(rows()).toHaveLength(LINKS.length);
    expect(document.querySelector('.toolbar')).toBeNull();
  });

  test('is sent to the service that the link had when the user deleted it', async () => {
    const commit = succeeds();
    let view = viewOf(CONNECTION);
    const store = await links({ view }, { deleteLinks: commit, readQueues: async () => view });
    await removeRow(first);
    view = viewOf({ ...CONNECTION, baseUrl: 'https://moved.example' });
    await acting(() => store.refresh());
    await pass(UP);
    expect(commit.mock.calls).toEqual([[[first], [CONNECTION]]]);
  });

  test.each([
    ['one selected link', [`Select ${first.title}`]],
    ['several links', [`Select ${first.title}`, `Select ${second.title}`]],
  ])('of %s happens when the time to undo is over, and moves the focus to the heading', async (_what, names) => {
    const commit = succeeds();
    await links({}, { deleteLinks: commit });
    await removeSelected(...names);
    expect(document.activeElement).toBe(control('Undo'));
    await pass(UP - 1);
    expect(commit).not.toHaveBeenCalled();
    await pass(1);
    expect(asked(commit)).toEqual([[first, second].slice(0, names.length)]);
    expect(document.querySelector('.toast')).toBeNull();
    expect(document.activeElement).toBe(document.querySelector('h1'));
  });

  test('is announced', async () => {
    await removing();
    expect(said()).toBe('1 link deleted. Its short URL will no longer work.');
  });
});
