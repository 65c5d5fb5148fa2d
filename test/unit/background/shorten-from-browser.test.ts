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

describe('an order from a menu or a shortcut', () => {
  test('is accepted, and the popup opens to show what becomes of it', async () => {
    await order.shorten(PAGE, tab());
    expect(await worker.requests()).toMatchObject([{ ...PAGE, id: 'order', source: 'background', private: false }]);
    expect(browser.action.openPopup).toHaveBeenCalledTimes(1);
    expect(await takePopupTarget()).toMatchObject({ orderId: 'order', ...PAGE });
  });

  test('is for the popup over the tab it was asked in, or any where that is not in front', async () => {
    await order.shorten(PAGE, tab({ id: 7, active: true }));
    expect(await takePopupTarget()).toMatchObject({ tabId: 7 });
    await order.shorten(PAGE, tab({ id: 8, active: false }));
    const target = await takePopupTarget();
    expect(target).toMatchObject({ orderId: 'order', ...PAGE });
    expect(target?.tabId).toBeUndefined();
  });

  test('of an address on its way already shows that request', async () => {
    await worker.accept('request-a');
    await order.shorten({ url: 'https://x.example/request-a', title: '' }, tab());
    expect(await worker.requests()).toHaveLength(1);
    expect(await takePopupTarget()).toMatchObject({ orderId: 'request-a' });
  });

  test('of an address that has a link gives that again: copied, and shown', async () => {
    await addLinks(worker.store, [aLink('known', { url: PAGE.url })]);
    for (const _press of [1, 2, 3]) await order.shorten(PAGE, tab());
    expect(await worker.requests()).toEqual([]);
    expect(writeText.mock.calls).toEqual(Array(3).fill(['https://s.example/known']));
    expect(flash.mock.calls.map(([{ text }]) => text)).toEqual(['✓', '✓', '✓']);
    const existing = { linkId: 'known', shortUrl: 'https://s.example/known' };
    expect(await takePopupTarget()).toMatchObject({ existing });
  });

  test('is private where the browser says so, and where it does not say while a private window is open', async () => {
    windows.getAll.mockResolvedValue([{ incognito: false }, { incognito: true }]);
    await order.shorten(PAGE, tab({ incognito: true }));
    expect(await worker.requests()).toMatchObject([{ private: true }]);
    await order.shorten({ ...PAGE, url: 'https://x.example/other' }, undefined);
    expect(await worker.requests()).toMatchObject([{ private: true }, { private: true }]);
    expect(await takePopupTarget()).toMatchObject({ private: true });
  });

  test('from a private window that closed meanwhile leaves nothing of it behind, and opens nothing', async () => {
    windows.getAll.mockResolvedValue([{ incognito: false }]);
    await order.shorten(PAGE, tab({ incognito: true }));
    expect(await takePopupTarget()).toBeNull();
    expect(browser.action.openPopup).not.toHaveBeenCalled();
  });

  test('of which the browser does not say whether it is private is so where nobody can tell, and is not where no private window is open', async () => {
    windows.getAll.mockRejectedValueOnce(new Error('no'));
    await order.shorten(PAGE, undefined);
    expect(await worker.requests()).toMatchObject([{ private: true }]);
    worker.pass(1);
    await order.shorten({ ...PAGE, url: 'https://x.example/other' }, undefined);
    expect(await worker.requests()).toMatchObject([{ private: true }, { private: false }]);
  });
});

describe('an order that is refused', () => {
  test.each([
    ['an address that cannot be shortened', { url: 'chrome://settings', title: '' }, 'not_shortenable'],
    ['a short URL of ours', { url: 'https://s.example/x', title: '' }, 'own_short_link'],
    ['a click that names no address', NOTHING, 'not_shortenable'],
  ])('(%s) says why', async (_what, page, refusal) => {
    await order.shorten(page, tab());
    expect(flash.mock.calls).toMatchObject([[{ text: '!' }]]);
    expect(browser.action.openPopup).toHaveBeenCalledTimes(1);
    expect(await takePopupTarget()).toMatchObject({ refusal });
  });

  test('of a picture that is its own address hands on no more than tells what it is', async () => {
    await order.shorten({ url: `data:image/png;base64,${'A'.repeat(5_000_000)}`, title: '' }, tab());
    const target = await takePopupTarget();
    expect(target).toMatchObject({ refusal: 'not_shortenable', url: expect.stringMatching(/^data:image\/png/) });
    expect(target?.url).toHaveLength(200);
  });

  test('because there is no connection leads to the options', async () => {
    freshDisk();
    from(new TestWorker());
    await order.shorten(PAGE, tab());
    expect(browser.runtime.openOptionsPage).toHaveBeenCalledTimes(1);
    expect(browser.action.openPopup).not.toHaveBeenCalled();
  });

  test('because the data cannot be read says that', async () => {
    vi.spyOn(worker.commands, 'shorten').mockRejectedValue(new Error('The disk is gone.'));
    await order.shorten(PAGE, tab());
    expect(await takePopupTarget()).toMatchObject({ refusal: 'internal' });
  });
});

describe('where the person chose notifications', () => {
  beforeEach(wantNotifications);

  test('nothing opens: the link is notified of when it is done', async () => {
    await order.shorten(PAGE, tab());
    expect(browser.action.openPopup).not.toHaveBeenCalled();
    expect(notes()).toEqual([]);
  });

  test('a link that is there already is notified of, without its URL for a private window', async () => {
    await addLinks(worker.store, [aLink('known', { url: PAGE.url })]);
    await order.shorten(PAGE, tab());
    await order.shorten(PAGE, tab({ incognito: true }));
    expect(notes()).toEqual([
      { title: '[notifyCopied]', message: 'https://s.example/known' },
      { title: '[notifyCopied]', message: '' },
    ]);
  });

  test('a refusal is notified of', async () => {
    await order.shorten(NOTHING, tab());
    expect(notes()).toEqual([{ title: '[notifyStuck]', message: '[refusal_not_shortenable]' }]);
    expect(browser.action.openPopup).not.toHaveBeenCalled();
  });

  test('and they fail, the popup opens after all', async () => {
    browser.notifications.create.mockRejectedValueOnce(new Error('not allowed any more'));
    await order.shorten(NOTHING, tab());
    expect(browser.action.openPopup).toHaveBeenCalledTimes(1);
  });
});

describe('where no popup can be opened', () => {
  const opened = (calls: unknown[][]) => calls.map(([properties]) => properties);
  beforeEach(() => void browser.action.openPopup.mockRejectedValue(new Error('no user gesture')));

  test('the same page opens in a window', async () => {
    await order.shorten(PAGE, tab());
    const url = 'chrome-extension://abcdefgh/src/pages/popup/index.html?window=1';
    expect(opened(windows.create.mock.calls)).toMatchObject([{ url, type: 'popup' }]);
  });

  test('and there are no windows, it opens in a tab', async () => {
    browser.windows = undefined;
    await order.shorten(PAGE, tab());
    expect(opened(browser.tabs.create.mock.calls)).toHaveLength(1);
  });
});

test.each([
  ['the badge cannot be set', () => flash.mockRejectedValue(new Error('no'))],
  ['the settings cannot be read', () => vi.spyOn(browser.storage.local, 'get').mockRejectedValue(new Error('no'))],
  ['nothing can be handed over', () => vi.spyOn(browser.storage.session, 'set').mockRejectedValue(new Error('no'))],
])('never silent: where %s, the popup opens all the same', async (_what, break_) => {
  const broken = break_();
  await order.shorten(NOTHING, tab());
  expect(browser.action.openPopup).toHaveBeenCalledTimes(1);
  broken.mockRestore();
});
