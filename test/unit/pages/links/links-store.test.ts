import { FEATURE } from '@terse/contract/service-capabilities';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deleteLinks } from '../../../../src/link-sync/ask-server.ts';
import type { DeletionFailure } from '../../../../src/messages/protocol.ts';
import { FIRST_LINKS, type LinksDeps, type LinksStore } from '../../../../src/pages/links/links-store.ts';
import type { Connection, Link } from '../../../../src/queue/types.ts';
import { serviceFailure } from '../../../../src/servers/adapter.ts';
import { broadcastChange, broadcastSyncProgress } from '../../../../src/storage/database.ts';
import { CONNECTION, link, queue, queuesView } from '../../../gallery/fixtures.ts';
import { linksStore } from '../../../gallery/links-states.tsx';
import { aLink, idsOf } from '../../storage/stored.ts';
import { browser, resetBrowser } from '../../support/fake-browser.ts';

// @vitest-environment happy-dom

vi.mock('../../../../src/browser/browser.ts', () => import('../../support/fake-browser.ts'));

const LISTING = {
  ...CONNECTION,
  service: { name: 'T', shortBaseUrl: 'https://go.example', features: [FEATURE.links] },
};
const OTHER_SERVER = { ...LISTING, id: 'other', name: 'Other', baseUrl: 'https://other.example' };
const viewOf = (...connections: Connection[]) => queuesView(connections.map((connection) => queue({ connection })));

let stop: (() => void) | null = null;
beforeEach(() => resetBrowser());
afterEach(() => {
  stop?.();
  stop = null;
});

/** Creates a store and starts it. */
function started(given: Parameters<typeof linksStore>[0], deps: Partial<LinksDeps> = {}): LinksStore {
  const store = linksStore(given, deps);
  stop = store.start();
  return store;
}

test('links open in a new tab, but only if their short URL is a web address', () => {
  const openTab = vi.fn<LinksDeps['openTab']>();
  const store = linksStore({}, { openTab });
  store.open(link({ shortUrl: 'https://s.example/plain' }));
  store.open(link({ shortUrl: 'javascript:alert(1)' }));
  expect(openTab.mock.calls).toEqual([['https://s.example/plain']]);
});

describe('the links of the page', () => {
  const first = [aLink('b'), aLink('a')];
  const tell = () => broadcastChange({ queues: false, links: true });

  test('stay after a change until the database is read', async () => {
    const { promise, resolve } = Promise.withResolvers<Link[]>();
    const store = started({ links: first }, { readLinks: () => promise });
    await tell();
    expect(idsOf(store.found.value)).toEqual(['b', 'a']);
    resolve([]);
    await vi.waitFor(() => expect(store.found.value).toEqual([]));
  });

  test('are read again when the page starts, because they may have changed since the first read', async () => {
    const store = started({ links: first }, { readLinks: async () => [aLink('c'), ...first] });
    await vi.waitFor(() => expect(idsOf(store.found.value)).toEqual(['c', 'b', 'a']));
  });

  test('are complete only after all links are read', async () => {
    const page = Array.from({ length: FIRST_LINKS }, (_, n) => aLink(`first-${n}`));
    const all = Promise.withResolvers<Link[]>();
    const store = started({ links: page }, { readLinks: () => all.promise });
    await tell();
    expect(store.isComplete.value).toBe(false);
    all.resolve([aLink('new'), ...page, aLink('old')]);
    await vi.waitFor(() => expect(store.isComplete.value).toBe(true));
    expect(store.found.value).toHaveLength(FIRST_LINKS + 2);
  });
});

describe('the lists of servers', () => {
  const asking = () => vi.fn<() => Promise<unknown>>().mockReturnValue(new Promise(() => {}));
  const syncing = (id: string) => [{ type: 'sync-links', connectionId: id }];

  test('are read when the page opens, if the server has a list', () => {
    const ask = asking();
    started({ view: viewOf(LISTING, { ...OTHER_SERVER, service: null }) }, { ask: ask as never });
    expect(ask.mock.calls).toEqual([syncing(LISTING.id)]);
  });

  test('are read again when a connection changes or the network returns, and not otherwise', async () => {
    const ask = asking();
    let view = viewOf(LISTING);
    let online = true;
    const deps = { ask: ask as never, readQueues: async () => view, isOnline: () => online };
    const store = started({ view }, deps);
    await store.refresh();
    expect(ask).toHaveBeenCalledTimes(1);
    view = viewOf({ ...LISTING, revision: 1 });
    await store.refresh();
    expect(ask).toHaveBeenCalledTimes(2);
    for (const isOnline of [false, true]) {
      online = isOnline;
      dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
    }
    expect(ask).toHaveBeenCalledTimes(3);
  });

  test('report their progress, and then the problem that prevented reading', async () => {
    const reply = Promise.withResolvers<unknown>();
    const store = started({ view: viewOf(LISTING) }, { ask: (() => reply.promise) as never });
    await broadcastSyncProgress(LISTING.id, 200);
    await broadcastSyncProgress('unknown', 7);
    expect([...store.syncs.value]).toEqual([[LISTING.id, 200]]);
    reply.resolve({ ok: true, value: { problem: 'forbidden' } });
    await vi.waitFor(() => expect(store.syncs.value.get(LISTING.id)).toBe('forbidden'));
  });
});

test('a link that is edited although its server no longer has it makes the page read the list again', async () => {
  const ask = vi.fn().mockResolvedValue({ ok: true, value: null });
  const failure = (problem: 'gone' | 'forbidden') => serviceFailure(problem);
  const editLink = vi.fn<LinksDeps['editLink']>().mockResolvedValueOnce(failure('forbidden'));
  const made = link({ connectionId: LISTING.id, shortUrl: 'https://go.example/one' });
  const store = linksStore({ links: [made], view: viewOf(LISTING) }, { ask, editLink });
  expect(await store.edit(made, { title: 'New' })).toContain('serviceForbiddenManage');
  expect(ask).not.toHaveBeenCalled();
  editLink.mockResolvedValue(failure('gone'));
  expect(await store.edit(made, { title: 'New' })).toContain('serviceGone');
  expect(ask.mock.calls).toEqual([[{ type: 'sync-links', connectionId: LISTING.id }]]);
});

describe('a deletion', () => {
  const CONNECTIONS = [LISTING, OTHER_SERVER];
  const made = (code: string) => link({ shortUrl: `https://go.example/${code}` });
  const [one, two, three] = [made('one'), made('two'), made('three')];
  const elsewhere = link({ connectionId: 'other', shortUrl: 'https://o.example/x' });
  const local = link({ connectionId: null });
  const ALL = [one, two, three, elsewhere, local];

  const { sendMessage } = browser.runtime;
  const answers = (...value: DeletionFailure[]) => sendMessage.mockResolvedValue({ ok: true, value });
  const codesOf = (...links: Link[]) => links.map(({ id, shortCode, shortUrl }) => ({ id, shortCode, shortUrl }));
  const deleting = () => linksStore({ links: ALL, view: viewOf(...CONNECTIONS) }, { deleteLinks });

  test('sends one message for all servers and for links that no server lists', async () => {
    answers();
    const store = deleting();
    store.remove([one, elsewhere, two, local]);
    await store.deletion.finish();
    expect(sendMessage.mock.calls).toEqual([
      [
        {
          type: 'delete-links',
          localIds: [local.id],
          servers: [
            { connectionId: LISTING.id, baseUrl: LISTING.baseUrl, links: codesOf(one, two) },
            { connectionId: 'other', baseUrl: 'https://other.example', links: codesOf(elsewhere) },
          ],
        },
      ],
    ]);
    expect(store.found.value).toEqual([three]);
    expect(store.flash.value).toBeNull();
  });

  test('is requested before the page closes, without asking the user', () => {
    sendMessage.mockReturnValue(new Promise(() => {}));
    const store = started({ links: ALL, view: viewOf() }, { deleteLinks });
    store.remove([one, two]);
    const event = new Event('beforeunload', { cancelable: true });
    dispatchEvent(event);
    expect(event.defaultPrevented).toBe(false);
    dispatchEvent(new Event('pagehide'));
    // The page is gone when this event ends, so the message must have been sent.
    expect(sendMessage).toHaveBeenCalledExactlyOnceWith({
      type: 'delete-links',
      localIds: [one.id, two.id],
      servers: [],
    });
  });

  test('shows the links that could not be deleted, and counts them for all servers in one message', async () => {
    answers(
      { connectionId: LISTING.id, problem: 'unreachable', left: [two.id, three.id] },
      { connectionId: 'other', problem: 'forbidden', left: [elsewhere.id] },
    );
    const store = deleting();
    store.remove(ALL);
    await store.deletion.finish();
    expect(store.found.value).toEqual([two, three, elsewhere]);
    for (const reason of ['linksNotDeleted', 'serviceUnreachable', 'serviceForbiddenManage'])
      expect(store.flash.value?.text).toContain(reason);
  });

  test('names the link in the message if only one could not be deleted', async () => {
    answers({ connectionId: LISTING.id, problem: 'unreachable', left: [two.id] });
    const store = deleting();
    store.remove([one, two]);
    await store.deletion.finish();
    expect(store.flash.value).toEqual({ text: expect.stringContaining('serviceUnreachable'), url: two.shortUrl });
  });

  test.each([
    ['the background stops', () => sendMessage.mockRejectedValue(new Error('gone')), 'noReply'],
    [
      'the history cannot be changed',
      () => sendMessage.mockResolvedValue({ ok: false, code: 'internal' }),
      'refusal_internal',
    ],
  ])('reads the links again before it shows them, if %s', async (_why, fail, text) => {
    fail();
    const read = Promise.withResolvers<Link[]>();
    const readLinks = vi.fn<LinksDeps['readLinks']>().mockReturnValue(read.promise);
    const store = linksStore({ links: ALL }, { deleteLinks, readLinks });
    store.remove([one, two]);
    void store.deletion.finish();
    await vi.waitFor(() => expect(readLinks).toHaveBeenCalledTimes(1));
    expect(store.found.value).not.toContain(one);
    read.resolve([two, three]);
    await vi.waitFor(() => expect(store.found.value).toEqual([two, three]));
    expect(store.flash.value).toEqual({ text: expect.stringContaining(text) });
  });
});
