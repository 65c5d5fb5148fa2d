import { beforeEach, describe, expect, test, vi } from 'vitest';
import { BrowserShortener } from '../../../src/background/entry-points/shorten-from-browser.ts';
import type { Tabs } from '../../../src/browser/browser.ts';
import { DEFAULT_SETTINGS, writeSettings } from '../../../src/storage/settings.ts';
import { addLinks, aLink } from '../storage/stored.ts';
import { freshDisk } from '../support/disk.ts';
import { browser, windows } from '../support/fake-browser.ts';
import { takePopupTarget } from '../support/handed-over.ts';
import { connected, TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const writeText = vi.fn(async (_text: string) => {});
const flash = vi.fn(async (_badge: { text: string }) => {});
const PAGE = { url: 'https://x.example/page', title: 'A page' };
const NOTHING = { url: '', title: '' };
const tab = (part: Partial<Tabs.Tab> = {}) => ({ incognito: false, ...part }) as Tabs.Tab;
let worker: TestWorker;
let order: BrowserShortener;

function from(given: TestWorker) {
  worker = given;
  const now = () => Date.now();
  const newId = vi.fn(() => 'other').mockReturnValueOnce('order');
  order = new BrowserShortener({ commands: worker.commands, newId, now, flash });
}
const wantNotifications = () => writeSettings({ ...DEFAULT_SETTINGS, notifications: true });
const notes = () => browser.notifications.create.mock.calls.map(([, { title, message }]) => ({ title, message }));

beforeEach(async () => {
  freshDisk();
  writeText.mockReset();
  flash.mockReset();
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  from(await connected('full'));
});

describe('a request from a menu or a shortcut', () => {
  test('is accepted, and the popup opens to show its result', async () => {
    await order.shorten(PAGE, tab());
    expect(await worker.requests()).toMatchObject([{ ...PAGE, id: 'order', source: 'background', private: false }]);
    expect(browser.action.openPopup).toHaveBeenCalledTimes(1);
    expect(await takePopupTarget()).toMatchObject({ orderId: 'order', ...PAGE });
  });

  test('is shown by the popup over its own tab, or by any popup if the tab is not in front', async () => {
    await order.shorten(PAGE, tab({ id: 7, active: true }));
    expect(await takePopupTarget()).toMatchObject({ tabId: 7 });
    await order.shorten(PAGE, tab({ id: 8, active: false }));
    const target = await takePopupTarget();
    expect(target).toMatchObject({ orderId: 'order', ...PAGE });
    expect(target?.tabId).toBeUndefined();
  });

  test('for a URL that is being shortened shows the existing request', async () => {
    await worker.accept('request-a');
    await order.shorten({ url: 'https://x.example/request-a', title: '' }, tab());
    expect(await worker.requests()).toHaveLength(1);
    expect(await takePopupTarget()).toMatchObject({ orderId: 'request-a' });
  });

  test('for a URL with a link copies and shows the link', async () => {
    await addLinks(worker.store, [aLink('known', { url: PAGE.url })]);
    for (const _press of [1, 2, 3]) await order.shorten(PAGE, tab());
    expect(await worker.requests()).toEqual([]);
    expect(writeText.mock.calls).toEqual(Array(3).fill(['https://s.example/known']));
    expect(flash.mock.calls.map(([{ text }]) => text)).toEqual(['✓', '✓', '✓']);
    const existing = { linkId: 'known', shortUrl: 'https://s.example/known' };
    expect(await takePopupTarget()).toMatchObject({ existing });
  });

  test('is private if the browser says so, or does not say so while a private window is open', async () => {
    windows.getAll.mockResolvedValue([{ incognito: false }, { incognito: true }]);
    await order.shorten(PAGE, tab({ incognito: true }));
    expect(await worker.requests()).toMatchObject([{ private: true }]);
    await order.shorten({ ...PAGE, url: 'https://x.example/other' }, undefined);
    expect(await worker.requests()).toMatchObject([{ private: true }, { private: true }]);
    expect(await takePopupTarget()).toMatchObject({ private: true });
  });

  test('from a private window that has closed meanwhile leaves no trace and opens nothing', async () => {
    windows.getAll.mockResolvedValue([{ incognito: false }]);
    await order.shorten(PAGE, tab({ incognito: true }));
    expect(await takePopupTarget()).toBeNull();
    expect(browser.action.openPopup).not.toHaveBeenCalled();
  });

  test('of an unknown window is private if nobody can tell, and not private without private windows', async () => {
    windows.getAll.mockRejectedValueOnce(new Error('no'));
    await order.shorten(PAGE, undefined);
    expect(await worker.requests()).toMatchObject([{ private: true }]);
    worker.pass(1);
    await order.shorten({ ...PAGE, url: 'https://x.example/other' }, undefined);
    expect(await worker.requests()).toMatchObject([{ private: true }, { private: false }]);
  });
});

describe('a refused request', () => {
  test.each([
    ['a URL that cannot be shortened', { url: 'chrome://settings', title: '' }, 'not_shortenable'],
    ['one of our own short URLs', { url: 'https://s.example/x', title: '' }, 'own_short_link'],
    ['a click without a URL', NOTHING, 'not_shortenable'],
  ])('(%s) shows the reason', async (_what, page, refusal) => {
    await order.shorten(page, tab());
    expect(flash.mock.calls).toMatchObject([[{ text: '!' }]]);
    expect(browser.action.openPopup).toHaveBeenCalledTimes(1);
    expect(await takePopupTarget()).toMatchObject({ refusal });
  });

  test('for an image with a data URL passes on only the start of the URL', async () => {
    await order.shorten({ url: `data:image/png;base64,${'A'.repeat(5_000_000)}`, title: '' }, tab());
    const target = await takePopupTarget();
    expect(target).toMatchObject({ refusal: 'not_shortenable', url: expect.stringMatching(/^data:image\/png/) });
    expect(target?.url).toHaveLength(200);
  });

  test('without a connection opens the options', async () => {
    freshDisk();
    from(new TestWorker());
    await order.shorten(PAGE, tab());
    expect(browser.runtime.openOptionsPage).toHaveBeenCalledTimes(1);
    expect(browser.action.openPopup).not.toHaveBeenCalled();
  });

  test('shows that the data cannot be read', async () => {
    vi.spyOn(worker.commands, 'shorten').mockRejectedValue(new Error('The disk is gone.'));
    await order.shorten(PAGE, tab());
    expect(await takePopupTarget()).toMatchObject({ refusal: 'internal' });
  });
});

describe('if the user chose notifications', () => {
  beforeEach(wantNotifications);

  test('nothing opens, and a notification announces the created link', async () => {
    await order.shorten(PAGE, tab());
    expect(browser.action.openPopup).not.toHaveBeenCalled();
    expect(notes()).toEqual([]);
  });

  test('a notification announces an existing link, without the URL of a private window', async () => {
    await addLinks(worker.store, [aLink('known', { url: PAGE.url })]);
    await order.shorten(PAGE, tab());
    await order.shorten(PAGE, tab({ incognito: true }));
    expect(notes()).toEqual([
      { title: '[notifyCopied]', message: 'https://s.example/known' },
      { title: '[notifyCopied]', message: '' },
    ]);
  });

  test('a notification announces a refusal', async () => {
    await order.shorten(NOTHING, tab());
    expect(notes()).toEqual([{ title: '[notifyStuck]', message: '[refusal_not_shortenable]' }]);
    expect(browser.action.openPopup).not.toHaveBeenCalled();
  });

  test('but notifications fail, the popup opens', async () => {
    browser.notifications.create.mockRejectedValueOnce(new Error('not allowed any more'));
    await order.shorten(NOTHING, tab());
    expect(browser.action.openPopup).toHaveBeenCalledTimes(1);
  });
});

describe('if no popup can be opened', () => {
  const opened = (calls: unknown[][]) => calls.map(([properties]) => properties);
  beforeEach(() => void browser.action.openPopup.mockRejectedValue(new Error('no user gesture')));

  test("the popup's page opens in a window", async () => {
    await order.shorten(PAGE, tab());
    const url = 'chrome-extension://abcdefgh/src/pages/popup/index.html?window=1';
    expect(opened(windows.create.mock.calls)).toMatchObject([{ url, type: 'popup' }]);
  });

  test('and there are no windows, the page opens in a tab', async () => {
    browser.windows = undefined;
    await order.shorten(PAGE, tab());
    expect(opened(browser.tabs.create.mock.calls)).toHaveLength(1);
  });
});

test.each([
  ['the badge cannot be set', () => flash.mockRejectedValue(new Error('no'))],
  ['the settings cannot be read', () => vi.spyOn(browser.storage.local, 'get').mockRejectedValue(new Error('no'))],
  [
    'no data can be passed to the popup',
    () => vi.spyOn(browser.storage.session, 'set').mockRejectedValue(new Error('no')),
  ],
])('if %s, the popup still opens', async (_what, break_) => {
  const broken = break_();
  await order.shorten(NOTHING, tab());
  expect(browser.action.openPopup).toHaveBeenCalledTimes(1);
  broken.mockRestore();
});
