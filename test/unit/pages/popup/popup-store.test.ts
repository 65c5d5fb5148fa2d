import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handedOrder } from '../../../../src/components/shorten-command.ts';
import { type PopupTarget, popupTarget } from '../../../../src/messages/open-page-with-data.ts';
import type { PopupDeps } from '../../../../src/pages/popup/popup-store.ts';
import { readOpening } from '../../../../src/pages/popup/read-tab.ts';
import type { Link } from '../../../../src/queue/types.ts';
import { broadcastChange } from '../../../../src/storage/database.ts';
import { CONNECTION, link, NOW, queue, queuesView, request } from '../../../gallery/fixtures.ts';
import { become, type Given, order, popupStore, TAB } from '../../../gallery/popup-states.tsx';
import { browser, resetBrowser, windows } from '../../support/fake-browser.ts';

// @vitest-environment happy-dom

vi.mock('../../../../src/browser/browser.ts', () => import('../../support/fake-browser.ts'));

const url = 'https://example.org/chosen';
let stop = () => {};

/** Creates the store of a popup without links, and starts it. `written` are the copied texts. */
function started(given: Given = {}, deps: Partial<PopupDeps> = {}) {
  const written: string[] = [];
  const writeClipboard = async (text: string) => void written.push(text);
  const store = popupStore({ links: [], ...given }, { writeClipboard, ...deps });
  stop = store.start();
  return { store, written };
}

const give = (part: Partial<PopupTarget> = {}) =>
  popupTarget.give({ at: Date.now(), orderId: 'order', url, title: 'Chosen', private: false, ...part });
function tabBelow(part: object = {}) {
  const tab = { id: 1, url: TAB.url, incognito: false, ...part };
  browser.tabs.query.mockResolvedValue([tab]);
}
/** The fake browser finishes all its work in one turn of the event loop. */
const settled = () => new Promise((resolve) => setTimeout(resolve));
const inSession = () => browser.storage.session.dump();

beforeEach(() => {
  resetBrowser();
  browser.runtime.sendMessage.mockResolvedValue(undefined);
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

describe('a command from a menu or a shortcut', () => {
  /** Opens a popup over the tab with the id 1, for which the command may be meant. */
  async function opened(part: Partial<PopupTarget> = {}, given: Given = {}, deps: Partial<PopupDeps> = {}) {
    tabBelow({ incognito: given.tab?.private ?? false });
    await give(part);
    const { tab, handed } = await readOpening();
    const { store } = started({ tab, order: handed && handedOrder(handed, CONNECTION.id), ...given }, deps);
    return { tab, store };
  }

  test('is shown without its password, and no other popup gets it', async () => {
    const { store } = await opened({ url: 'https://me:secret@example.org/chosen', tabId: 1 });
    const order = { id: 'order', url, title: 'Chosen', userInfoRemoved: true, state: 'accepted', isCopied: true };
    expect(store.order.value).toMatchObject(order);
    expect(store.target.value).toMatchObject({ url, isOther: true });
    expect(inSession()).not.toContain('order');
  });

  test.each<[Partial<PopupTarget>, string]>([
    [{ refusal: 'own_short_link' }, 'own_short_link'],
    [{ refusal: 'not_shortenable', url: undefined }, 'unknown'],
  ])('that is refused shows the reason: %j', async (refused, code) => {
    const { store } = await opened(refused);
    expect(store.state.value).toMatchObject({ kind: 'failed', code });
  });

  test.each<[string, Partial<PopupTarget>]>([
    ['from a private window', { private: true }],
    ['from another tab', { tabId: 2 }],
  ])('%s is not shown, and stays stored for its own popup', async (_what, part) => {
    const { store } = await opened({ orderId: 'elsewhere', ...part });
    expect(store.order.value).toBeNull();
    expect(inSession()).toContain('elsewhere');
  });

  test('from a private window names the server that it used, even if the default has changed since', async () => {
    const server = { id: 'used', revision: 1 };
    const handed = { at: 1, orderId: 'order', url, title: '', private: true, server };
    expect(handedOrder(handed, CONNECTION.id)).toMatchObject({ connectionId: 'used', server });
  });

  test('from a private window is shown in a private window', async () => {
    const { store } = await opened({ private: true, tabId: 1 }, { tab: { ...TAB, private: true } });
    expect(store.order.value).toMatchObject({ id: 'order' });
  });

  test('is shown in a separate popup window, which has no tab', async () => {
    vi.stubGlobal('location', { search: '?window=1' });
    const { tab, store } = await opened({ private: true });
    expect(tab).toMatchObject({ id: undefined, url, private: true });
    expect(store.order.value).toMatchObject({ id: 'order' });
  });
});

test('a separate window of a normal tab does not close together with a private window', () => {
  started({ tab: { ...TAB, id: undefined } });
  expect(windows.onRemoved.addListener).not.toHaveBeenCalled();
});

test.each([
  ['a popup that shortens pages when it opens', false, 1],
  ['a private window, where the popup first says what the server will know', true, 0],
])('%s sends this many requests when it opens', async (_where, isPrivate, count) => {
  const ask = vi.fn().mockResolvedValue({ ok: false, code: 'internal' });
  started({ tab: { ...TAB, private: isPrivate }, formDefaults: { shortenOnOpen: true } }, { ask });
  await settled();
  expect(ask.mock.calls.filter(([{ type }]) => type !== 'online')).toHaveLength(count);
});

test('the bulk page does not open in a private window, because its list would be stored', async () => {
  const openTab = vi.fn<PopupDeps['openTab']>();
  const { store } = started({ tab: { ...TAB, private: true } }, { openTab });
  store.openMany();
  expect(store.flash.value?.text).toContain('refusal_private_list');
  expect(openTab).not.toHaveBeenCalled();
});

test('a separate window with a private result closes together with the last private window', async () => {
  const close = vi.fn();
  const { onRemoved, getAll } = windows;
  started({ tab: { ...TAB, id: undefined, private: true } }, { close });
  const [listener] = onRemoved.addListener.mock.lastCall ?? [];
  getAll.mockResolvedValue([{ incognito: false }, { incognito: true }]);
  listener?.();
  await settled();
  expect(close).not.toHaveBeenCalled();
  getAll.mockResolvedValue([{ incognito: false }]);
  listener?.();
  await settled();
  expect(close).toHaveBeenCalledOnce();
  stop();
  expect(onRemoved.removeListener).toHaveBeenCalledWith(listener);
});

describe('when it opens, the popup reads', () => {
  test.each([
    ['loading', { url: undefined, status: 'loading' }],
    ['unknown', { url: undefined, status: 'complete' }],
    [undefined, { status: 'loading' }],
  ])('the address of a tab, or the reason why the browser does not report it (%s)', async (reason, part) => {
    tabBelow(part);
    const { tab } = await readOpening();
    const state = started({ tab }).store.state.value;
    expect('reason' in state ? state.reason : undefined).toBe(reason);
  });

  test('a tab as private if the browser does not report it', async () => {
    browser.tabs.query.mockResolvedValue([]);
    expect((await readOpening()).tab).toMatchObject({ url: undefined, private: true });
  });
});

describe('automatic copying', () => {
  const here = TAB.url ?? '';
  const made = (part: Partial<Link> = {}) => link({ id: 'request-here', url: here, ...part });
  const had = link({ id: 'had', url: here, createdAt: 0 });

  test('copies a link that this popup requested once, when it is created', async () => {
    const { store, written } = started({}, { newId: () => 'request-here' });
    store.shortenTarget();
    await settled();
    expect(written).toEqual([]);
    const mine = made();
    become(store, { order: store.order.value, links: [mine] });
    become(store, { order: store.order.value, links: [mine, link()] });
    await broadcastChange({ queues: true, links: true });
    await settled();
    expect(written).toEqual([mine.shortUrl]);
  });

  test('copies no link that was created elsewhere, for example on another device', () => {
    const { store, written } = started();
    become(store, { links: [link(), link({ createdAt: NOW })] });
    expect(written).toEqual([]);
  });

  test('copies an earlier link only after a command, or if the popup shortens pages when it opens', () => {
    expect(started({ links: [had] }).written).toEqual([]);
    stop();
    expect(started({ links: [had], order: order({ resultId: 'had', existing: true }) }).written).toEqual([
      had.shortUrl,
    ]);
    stop();
    expect(started({ links: [had], formDefaults: { shortenOnOpen: true } }).written).toEqual([had.shortUrl]);
  });

  test('copies no earlier link for a command without a result', () => {
    started({ links: [had], order: order({ state: 'accepted' }) });
    const other = order({ url: 'https://shop.example/', connectionId: 'another' });
    const { written } = started({ links: [had], order: other });
    expect(written).toEqual([]);
  });

  test('copies nothing if the user turned it off', () => {
    const { written } = started({ autoCopy: false, order: order(), links: [made()] });
    expect(written).toEqual([]);
  });

  test('shows an error with the short URL if the browser refuses to copy', async () => {
    const mine = made();
    const { store } = started({ order: order(), links: [mine] }, { writeClipboard: () => Promise.reject() });
    await settled();
    expect(store.flash.value).toEqual({ text: '[copyRefused]', url: mine.shortUrl });
    expect(store.copied.value).toBeNull();
  });

  test.each<[string, number, Partial<PopupTarget>, boolean]>([
    ['of a menu command, which the background worker copies', 0, {}, false],
    ['that the background worker could not copy', 0, { isCopied: false }, true],
    ['that the background worker did not copy, because the request had waited too long', 60_001, {}, true],
  ])('copies no link a second time: a link %s', async (_what, waitedMs, part, isCopiedHere) => {
    const mine = made({ createdAt: NOW + waitedMs });
    const target = { at: NOW, orderId: mine.id, url: here, title: '', private: false, ...part };
    const { store, written } = started({ links: [mine], order: handedOrder(target, CONNECTION.id) });
    await settled();
    expect(written).toEqual(isCopiedHere ? [mine.shortUrl] : []);
    expect(store.copied.value).toBe(mine.shortUrl);
  });

  test('copies an earlier link if the request of a menu command was canceled', () => {
    const handed = order({ isCopied: true, at: NOW });
    const { written } = started({ links: [had], order: handed, formDefaults: { shortenOnOpen: true } });
    expect(written).toEqual([had.shortUrl]);
  });

  test('copies the link of a menu command that the user repeats in the popup', async () => {
    const { store, written } = started({ order: order({ isCopied: true, state: 'refused', code: 'no_permission' }) });
    store.askAgain();
    await settled();
    become(store, { order: store.order.value, links: [made()] });
    expect(written).toHaveLength(1);
  });
});

test('the time goes on even if the browser rounds the clock', async () => {
  vi.useFakeTimers();
  try {
    let clock = NOW;
    const waiting = queue({ requests: [request({ retryAt: NOW + 45 })] });
    const { store } = started({ view: queuesView([waiting]) }, { now: () => clock - (clock % 100) });
    for (let passed = 0; passed < 60_000; passed += 5) {
      clock += 5;
      vi.advanceTimersByTime(5);
    }
    expect(store.now.value).toBeGreaterThan(NOW + 25_000);
  } finally {
    vi.useRealTimers();
  }
});
