import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Menus, Tabs } from 'webextension-polyfill';
import { onCommand, onMenu } from '../../../src/background/entry-points/menus-and-shortcuts.ts';
import { handedList } from '../../../src/messages/open-page-with-data.ts';
import { addLinks, aLink } from '../storage/stored.ts';
import { freshDisk } from '../support/disk.ts';
import { browser, windows } from '../support/fake-browser.ts';
import { takePopupTarget } from '../support/handed-over.ts';
import { connected, type TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const TAB = { id: 7, url: 'https://x.example/page', title: 'A page', incognito: false } as Tabs.Tab;
const PRIVATE = { ...TAB, incognito: true };
let worker: TestWorker;

beforeEach(async () => {
  freshDisk();
  vi.stubGlobal('navigator', { clipboard: { writeText: async () => {} } });
  windows.getAll.mockResolvedValue([{ incognito: false }, { incognito: true }]);
  worker = await connected('full');
});

const click = (menuItemId: string, part: object = {}) =>
  ({ menuItemId, pageUrl: TAB.url, editable: false, modifiers: [], ...part }) as Menus.OnClickData;
const { executeScript } = browser.scripting;
const opened = () => browser.tabs.create.mock.calls.map(([{ url }]) => url);

/** Every entry point that shortens a single URL. Each calls the listener as the browser would. */
const WAYS: [string, (url: string, tab?: Tabs.Tab) => Promise<void>][] = [
  ['a link', (linkUrl, tab) => onMenu(worker.context, click('shorten-link', { linkUrl }), tab)],
  ['an image', (srcUrl, tab) => onMenu(worker.context, click('shorten-image', { srcUrl }), tab)],
  ['a film', (srcUrl, tab) => onMenu(worker.context, click('shorten-media', { srcUrl }), tab)],
  ['a frame', (frameUrl, tab) => onMenu(worker.context, click('shorten-frame', { frameUrl }), tab)],
  ['a page', (url, tab) => onMenu(worker.context, click('shorten-page'), tab && { ...tab, url })],
  ['a tab', (url, tab) => onMenu(worker.context, click('shorten-tab'), tab && { ...tab, url })],
  ['the shortcut', (url, tab) => onCommand(worker.context, 'shorten-page', tab && { ...tab, url })],
  [
    'selected text',
    (url, tab) => onMenu(worker.context, click('shorten-selection', { selectionText: `see ${url}` }), tab),
  ],
];

describe.each(WAYS)('%s', (_way, order) => {
  test('shortens the normalized URL', async () => {
    await order('https://me:secret@y.example/a', TAB);
    expect(await worker.requests()).toMatchObject([{ url: 'https://y.example/a' }]);
    expect(browser.action.openPopup).toHaveBeenCalledTimes(1);
  });

  test('returns the existing link of a URL', async () => {
    await addLinks(worker.store, [aLink('known', { url: 'https://y.example/a' })]);
    await order('https://y.example/a', TAB);
    expect(await worker.requests()).toEqual([]);
    expect(await takePopupTarget()).toMatchObject({ existing: { linkId: 'known' } });
  });

  test('in a private window sends the URL at once and stores nothing', async () => {
    await order('https://y.example/a', PRIVATE);
    expect(worker.sent).toMatchObject([{ body: expect.stringContaining('https://y.example/a') }]);
    expect(await worker.requests()).toEqual([]);
    expect(await worker.links()).toEqual([]);
    expect(await takePopupTarget()).toMatchObject({ private: true, result: { link: { url: 'https://y.example/a' } } });
  });

  test('refuses one of our own short URLs', async () => {
    await order('https://s.example/x', TAB);
    expect(await takePopupTarget()).toMatchObject({ refusal: 'own_short_link' });
  });
});

test.each([
  ['an image with a data URL', click('shorten-image', { srcUrl: 'data:image/gif;base64,AAAA' })],
  ['a video with a blob URL', click('shorten-media', { srcUrl: 'blob:https://x.example/1' })],
  ['an empty frame', click('shorten-frame', { frameUrl: 'about:blank' })],
  ['a frame without a URL', click('shorten-frame', { frameUrl: 'about:srcdoc' })],
])('%s is refused with a reason', async (_what, info) => {
  await onMenu(worker.context, info, TAB);
  expect(await takePopupTarget()).toMatchObject({ refusal: 'not_shortenable' });
});

describe('selected text', () => {
  const select = (selectionText: string, tab: Tabs.Tab | undefined = TAB) =>
    onMenu(worker.context, click('shorten-selection', { selectionText }), tab);

  test('with several URLs opens the list, and sends nothing yet', async () => {
    await select('https://a.example and https://b.example');
    expect(await worker.requests()).toEqual([]);
    expect(opened()).toEqual(['chrome-extension://abcdefgh/src/pages/bulk/index.html']);
    const text = 'https://a.example and https://b.example';
    expect(await handedList.take()).toMatchObject({ text, tabId: 7 });
  });

  test('with several URLs is refused in a private or unknown window', async () => {
    await select('https://a.example and https://b.example', PRIVATE);
    expect(await takePopupTarget()).toMatchObject({ refusal: 'private_list', private: true });
    await onCommand(worker.context, 'open-list');
    expect(await takePopupTarget()).toMatchObject({ refusal: 'private_list', private: true });
    expect(opened()).toEqual([]);
    expect(worker.sent).toEqual([]);
  });

  test('with the same URL twice counts as one URL', async () => {
    await select('https://a.example/ https://a.example/');
    expect(await worker.requests()).toMatchObject([{ url: 'https://a.example/' }]);
  });

  test.each([
    'https://en.wikipedia.org/wiki/Airplane!',
    'https://fonts.googleapis.com/css?family=Roboto|Open+Sans',
    'https://x.example/{a}^b?',
    '“https://en.wikipedia.org/wiki/Dr.”',
    'http://wiki/Home',
  ])('that is exactly one URL is not changed: %s', async (selected) => {
    await select(selected);
    const url = new URL(selected.replace(/[“”]/g, '')).href;
    expect(await worker.requests()).toMatchObject([{ url }]);
  });

  test.each([
    'See https://en.wikipedia.org/wiki/Airplane!',
    'https://x.example/docs/Annual Report 2024.pdf',
    'https://x.example/docs/Annual Report',
    'https://x.example/a|b (a page)',
  ])('is shown before it is sent if a part of it may belong to the URL: %s', async (selected) => {
    await select(selected);
    expect(await worker.requests()).toEqual([]);
    expect(await handedList.take()).toMatchObject({ text: selected });
  });

  test('without a URL is refused, and the message quotes the selection', async () => {
    await select('How to read a river');
    expect(await worker.requests()).toEqual([]);
    expect(await takePopupTarget()).toMatchObject({ refusal: 'no_address', title: 'How to read a river' });
  });

  test('is read from the frame with its line breaks, even if the browser refuses access at first', async () => {
    const text = 'example.com/a\nexample.com/b\nexample.com/c';
    executeScript.mockRejectedValueOnce(new Error('Cannot access contents of the page.'));
    executeScript.mockResolvedValue([{ result: ['', text] }]);
    const selectionText = 'example.com/a example.com/b example.com/c';
    await onMenu(worker.context, click('shorten-selection', { selectionText, frameId: 3 }), TAB);
    expect(executeScript).toHaveBeenCalledWith(expect.objectContaining({ target: { tabId: 7, frameIds: [3] } }));
    expect(await handedList.take()).toMatchObject({ text });
  });

  test.each<[string, () => unknown]>([
    ['cannot be read', () => executeScript.mockRejectedValue(new Error('Cannot access contents of the page.'))],
    ['has no result', () => executeScript.mockResolvedValue([{ result: null }])],
    ['is gone', () => executeScript.mockResolvedValue([{ result: ['', ''] }])],
    ['has changed', () => executeScript.mockResolvedValue([{ result: ['', 'https://other.example/'] }])],
  ])('is used as the menu reports it if the selection %s', async (_why, answer) => {
    answer();
    await select('see https://a.example/');
    expect(await worker.requests()).toMatchObject([{ url: 'https://a.example/' }]);
  });
});

test.each([
  ['the shortcut', () => onCommand(worker.context, 'open-list', TAB)],
  ['the menu of the toolbar button', () => onMenu(worker.context, click('open-list'), TAB)],
])('%s opens the bulk page', async (_way, press) => {
  await press();
  expect(opened()).toEqual(['chrome-extension://abcdefgh/src/pages/bulk/index.html']);
  expect(await handedList.take()).toMatchObject({ text: '', tabId: 7 });
});
