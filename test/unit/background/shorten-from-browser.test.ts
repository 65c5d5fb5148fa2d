import { locks } from 'node:worker_threads';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { shortenFromBrowser } from '../../../src/background/entry-points/shorten-from-browser.ts';
import type { WorkerContext } from '../../../src/background/worker-context.ts';
import type { Tabs } from '../../../src/browser/browser.ts';
import { DEFAULT_SETTINGS, writeSettings } from '../../../src/storage/settings.ts';
import { addLinks, aLink } from '../storage/stored.ts';
import { freshDisk } from '../support/disk.ts';
import { browser, windows } from '../support/fake-browser.ts';
import { takePopupTarget } from '../support/handed-over.ts';
import { connected, created, lost, TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const writeText = vi.fn(async (_text: string) => {});
const PAGE = { url: 'https://x.example/page', title: 'A page' };
const NOTHING = { url: '', title: '' };
const tab = (part: Partial<Tabs.Tab> = {}) => ({ incognito: false, ...part }) as Tabs.Tab;
let worker: TestWorker;
let context: WorkerContext;

function from(given: TestWorker) {
  worker = given;
  const newId = vi.fn(() => 'other').mockReturnValueOnce('order');
  context = { ...worker.context, newId, clock: Date.now };
}
const flashes = () => browser.action.setBadgeText.mock.calls.map(([{ text }]) => text);
const wantNotifications = () => writeSettings({ ...DEFAULT_SETTINGS, notifications: true });
const notes = () => browser.notifications.create.mock.calls.map(([, { title, message }]) => ({ title, message }));

beforeEach(async () => {
  freshDisk();
  writeText.mockReset();
  vi.stubGlobal('navigator', { locks, clipboard: { writeText } });
  from(await connected('full'));
});

describe('a request from a menu or a shortcut', () => {
  test('is accepted, and the popup opens to show its result', async () => {
    await shortenFromBrowser(context, PAGE, tab());
    expect(await worker.requests()).toMatchObject([{ ...PAGE, id: 'order', source: 'background' }]);
    expect(browser.action.openPopup).toHaveBeenCalledTimes(1);
    expect(await takePopupTarget()).toMatchObject({ orderId: 'order', isCopied: true, ...PAGE });
  });

  test('is shown by the popup over its own tab, or by any popup if the tab is not in front', async () => {
    await shortenFromBrowser(context, PAGE, tab({ id: 7, active: true }));
    expect(await takePopupTarget()).toMatchObject({ tabId: 7 });
    await shortenFromBrowser(context, PAGE, tab({ id: 8, active: false }));
    const target = await takePopupTarget();
    expect(target).toMatchObject({ orderId: 'order', ...PAGE });
    expect(target?.tabId).toBeUndefined();
  });

  test('for a URL that is being shortened shows the existing request, whose link the popup copies', async () => {
    await worker.accept('request-a');
    await shortenFromBrowser(context, { url: 'https://x.example/request-a', title: '' }, tab());
    expect(await worker.requests()).toHaveLength(1);
    expect(await takePopupTarget()).toMatchObject({ orderId: 'request-a', isCopied: false });
  });

  test('for a URL with a link copies and shows the link', async () => {
    await addLinks(worker.store, [aLink('known', { url: PAGE.url })]);
    for (const _press of [1, 2, 3]) await shortenFromBrowser(context, PAGE, tab());
    expect(await worker.requests()).toEqual([]);
    expect(writeText.mock.calls).toEqual(Array(3).fill(['https://s.example/known']));
    expect(flashes()).toEqual(['✓', '✓', '✓']);
    const existing = { linkId: 'known', shortUrl: 'https://s.example/known' };
    expect(await takePopupTarget()).toMatchObject({ existing });
  });
});

describe('a request from a private window', () => {
  const made = 'https://s.example/order';
  const isStored = async () => [...(await worker.requests()), ...(await worker.links())].length > 0;
  beforeEach(() => void windows.getAll.mockResolvedValue([{ incognito: true }]));

  test('is sent at once, and its link is copied and shown, but not stored', async () => {
    await shortenFromBrowser(context, PAGE, tab({ incognito: true }));
    expect(worker.sent).toHaveLength(1);
    expect(writeText.mock.calls).toEqual([[made]]);
    expect(await takePopupTarget()).toMatchObject({
      private: true,
      server: { id: 'c' },
      result: { link: { shortUrl: made } },
    });
    expect(await isStored()).toBe(false);
  });

  test('is recognized by the open private windows if the browser does not report the tab', async () => {
    await shortenFromBrowser(context, PAGE, undefined);
    expect(await isStored()).toBe(false);
    windows.getAll.mockRejectedValueOnce(new Error('no'));
    await shortenFromBrowser(context, PAGE, undefined);
    expect(await isStored()).toBe(false);
    windows.getAll.mockResolvedValue([{ incognito: false }]);
    await shortenFromBrowser(context, PAGE, undefined);
    expect(await isStored()).toBe(true);
  });

  test.each([
    ['the user turned copying off', () => writeSettings({ ...DEFAULT_SETTINGS, notifications: true, autoCopy: false })],
    [
      'the browser refuses to copy',
      async () => {
        await wantNotifications();
        writeText.mockRejectedValue(new Error('not focused'));
      },
    ],
  ])('is shown in the popup instead of a notification without its URL if %s', async (_why, given) => {
    await given();
    await shortenFromBrowser(context, PAGE, tab({ id: 7, active: true, incognito: true }));
    expect(notes()).toEqual([]);
    expect(browser.action.openPopup).toHaveBeenCalledTimes(1);
    expect(await takePopupTarget()).toMatchObject({ tabId: 7, isCopied: false, result: { link: { shortUrl: made } } });
    expect(await isStored()).toBe(false);
  });

  test('for a URL with a stored link is shown in the popup too if it is not copied', async () => {
    await writeSettings({ ...DEFAULT_SETTINGS, notifications: true, autoCopy: false });
    await addLinks(worker.store, [aLink('known', { url: PAGE.url })]);
    await shortenFromBrowser(context, PAGE, tab({ id: 7, active: true, incognito: true }));
    expect(notes()).toEqual([]);
    expect(await takePopupTarget()).toMatchObject({ private: true, existing: { linkId: 'known' } });
  });

  test('leaves no trace and opens nothing if the window has closed meanwhile', async () => {
    worker.send = async ({ requestIds }) => {
      windows.getAll.mockResolvedValue([{ incognito: false }]);
      return created(requestIds);
    };
    await shortenFromBrowser(context, PAGE, tab({ incognito: true }));
    expect(await takePopupTarget()).toBeNull();
    expect(browser.action.openPopup).not.toHaveBeenCalled();
    expect(writeText).not.toHaveBeenCalled();
  });

  test('is announced without its URL, because systems store notifications', async () => {
    await wantNotifications();
    await shortenFromBrowser(context, PAGE, tab({ incognito: true }));
    worker.send = async (attempt) => lost(attempt);
    worker.pass(60_000);
    await shortenFromBrowser(context, PAGE, tab({ incognito: true }));
    expect(notes()).toEqual([
      { title: '[notifyCopied]', message: '' },
      { title: '[notifyStuck]', message: '[problem_no_answer]' },
    ]);
  });
});

describe('a refused request', () => {
  test.each([
    ['a URL that cannot be shortened', { url: 'chrome://settings', title: '' }, 'not_shortenable'],
    ['one of our own short URLs', { url: 'https://s.example/x', title: '' }, 'own_short_link'],
    ['a click without a URL', NOTHING, 'not_shortenable'],
  ])('(%s) shows the reason', async (_what, page, refusal) => {
    await shortenFromBrowser(context, page, tab());
    expect(flashes()).toEqual(['!']);
    expect(browser.action.openPopup).toHaveBeenCalledTimes(1);
    expect(await takePopupTarget()).toMatchObject({ refusal });
  });

  test('for an image with a data URL passes on only the start of the URL', async () => {
    await shortenFromBrowser(context, { url: `data:image/png;base64,${'A'.repeat(5_000_000)}`, title: '' }, tab());
    const target = await takePopupTarget();
    expect(target).toMatchObject({ refusal: 'not_shortenable', url: expect.stringMatching(/^data:image\/png/) });
    expect(target?.url).toHaveLength(200);
  });

  test('without a connection opens the options', async () => {
    freshDisk();
    from(new TestWorker());
    await shortenFromBrowser(context, PAGE, tab());
    expect(browser.runtime.openOptionsPage).toHaveBeenCalledTimes(1);
    expect(browser.action.openPopup).not.toHaveBeenCalled();
  });

  test('shows that the data cannot be read', async () => {
    vi.spyOn(worker.store, 'updateAll').mockRejectedValue(new Error('The disk is gone.'));
    await shortenFromBrowser(context, PAGE, tab());
    expect(await takePopupTarget()).toMatchObject({ refusal: 'internal' });
  });
});

describe('if the user chose notifications', () => {
  beforeEach(wantNotifications);

  test('nothing opens, and a notification announces the created link', async () => {
    await shortenFromBrowser(context, PAGE, tab());
    expect(browser.action.openPopup).not.toHaveBeenCalled();
    expect(notes()).toEqual([]);
  });

  test('a notification announces a refusal', async () => {
    await shortenFromBrowser(context, NOTHING, tab());
    expect(notes()).toEqual([{ title: '[notifyStuck]', message: '[refusal_not_shortenable]' }]);
    expect(browser.action.openPopup).not.toHaveBeenCalled();
  });

  test('but notifications fail, the popup opens', async () => {
    browser.notifications.create.mockRejectedValueOnce(new Error('not allowed any more'));
    await shortenFromBrowser(context, NOTHING, tab());
    expect(browser.action.openPopup).toHaveBeenCalledTimes(1);
  });
});

describe('if no popup can be opened', () => {
  const opened = (calls: unknown[][]) => calls.map(([properties]) => properties);
  beforeEach(() => void browser.action.openPopup.mockRejectedValue(new Error('no user gesture')));

  test("the popup's page opens in a window", async () => {
    await shortenFromBrowser(context, PAGE, tab());
    const url = 'chrome-extension://abcdefgh/src/pages/popup/index.html?window=1';
    expect(opened(windows.create.mock.calls)).toMatchObject([{ url, type: 'popup' }]);
  });

  test('and there are no windows, the page opens in a tab', async () => {
    browser.windows = undefined;
    await shortenFromBrowser(context, PAGE, tab());
    expect(opened(browser.tabs.create.mock.calls)).toHaveLength(1);
  });
});

test.each([
  ['the badge cannot be set', () => browser.action.setBadgeText.mockRejectedValue(new Error('no'))],
  ['the settings cannot be read', () => vi.spyOn(browser.storage.local, 'get').mockRejectedValue(new Error('no'))],
  [
    'no data can be passed to the popup',
    () => vi.spyOn(browser.storage.session, 'set').mockRejectedValue(new Error('no')),
  ],
])('if %s, the popup still opens', async (_what, break_) => {
  const broken = break_();
  await shortenFromBrowser(context, NOTHING, tab());
  expect(browser.action.openPopup).toHaveBeenCalledTimes(1);
  broken.mockRestore();
});
