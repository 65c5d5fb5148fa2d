import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PopupTarget, popupTarget } from '../../../../src/messages/open-page-with-data.ts';
import { readOpening } from '../../../../src/pages/popup/read-current-tab.ts';
import { usePopup } from '../../../../src/pages/popup/use-popup.ts';
import { NO_OPTIONS } from '../../../../src/queue/add-replace-delete-connection.ts';
import type { Link } from '../../../../src/queue/types.ts';
import { DEFAULT_SETTINGS } from '../../../../src/storage/settings.ts';
import { aLink } from '../../storage/stored.ts';
import { browser, resetBrowser } from '../../support/fake-browser.ts';
import { render } from '../../support/render.ts';

// @vitest-environment happy-dom

vi.mock('../../../../src/browser/browser.ts', () => import('../../support/fake-browser.ts'));
const stored = vi.hoisted(() => ({ links: [] as Link[] }));
const NO_QUEUES = vi.hoisted(() => ({ queues: [] }));
vi.mock('../../../../src/storage/load-page-data.ts', () => ({
  readLinks: async () => stored.links,
  readStoredQueues: async () => NO_QUEUES,
}));

const url = 'https://example.org/chosen';
const tab = { id: 1, url: 'https://example.org/', title: 'Example', icon: null, private: false, openedAt: 0 };
const start = { tab, handed: null, settings: DEFAULT_SETTINGS, queues: NO_QUEUES };
let model: ReturnType<typeof usePopup>;

function Page() {
  model = usePopup({ ...start, ...stored } as unknown as Parameters<typeof usePopup>[0]);
  return null;
}

const give = (part: Partial<PopupTarget> = {}) =>
  popupTarget.give({ at: Date.now(), orderId: 'order', url, title: 'Chosen', private: false, ...part });

beforeEach(() => {
  resetBrowser();
  stored.links = [];
});
afterEach(vi.unstubAllGlobals);

test('a menu command that arrives while the popup is open is shown', async () => {
  await render(<Page />);
  await give();
  await vi.waitFor(() => expect(model.order).toMatchObject({ id: 'order', url }));
});

test('a menu command that arrives before the popup watches for commands is shown', async () => {
  await give();
  await render(<Page />);
  await vi.waitFor(() => expect(model.order).toMatchObject({ id: 'order', url }));
});

test.each<[string, Partial<PopupTarget>]>([
  ['from a private window', { private: true }],
  ['from another tab', { tabId: 2 }],
])('a menu command %s is not shown, and stays stored for its own popup', async (_what, part) => {
  browser.tabs.query.mockResolvedValue([{ id: 1, url: tab.url, incognito: false } as { incognito: boolean }]);
  await render(<Page />);
  await give({ orderId: 'elsewhere', ...part });
  expect(await readOpening()).toMatchObject({ tab: { id: 1 }, handed: null });
  expect(browser.storage.session.dump()).toContain('elsewhere');
  await give({ tabId: 1 });
  await vi.waitFor(() => expect(model.order).toMatchObject({ id: 'order' }));
});

test('a menu command from a private window is shown by a popup in a private window', async () => {
  browser.tabs.query.mockResolvedValue([{ id: 1, url, incognito: true } as { incognito: boolean }]);
  await give({ private: true, tabId: 1 });
  expect(await readOpening()).toMatchObject({ tab: { id: 1, private: true }, handed: { orderId: 'order' } });
});

test.each([
  ['data:image/png;base64,AAAA', 'data:image/png;base64,AAAA'],
  ['https://example.org/icon.png', null],
  ['data:text/html,AAAA', null],
  [undefined, null],
])("the site's icon %s is shown as %s", async (favIconUrl, icon) => {
  browser.tabs.query.mockResolvedValue([{ id: 1, url, favIconUrl, incognito: false } as { incognito: boolean }]);
  expect((await readOpening()).tab.icon).toBe(icon);
});

describe('while a command waits for the reply', () => {
  const order = { ...tab, connectionId: null, userInfoRemoved: false, options: NO_OPTIONS, anew: false };
  const place = () =>
    act(async () => {
      vi.spyOn(crypto, 'randomUUID').mockReturnValueOnce('0-0-0-0-0');
      browser.runtime.sendMessage.mockReturnValue(new Promise(() => {}));
      void model.commands.place({ ...order, url });
    });

  test('the popup shows the same page as before', async () => {
    await render(<Page />);
    await place();
    expect(model).toMatchObject({ asking: url, order: null, target: { url: tab.url } });
  });

  test('the popup shows the new link if it is already stored', async () => {
    stored.links = [aLink('0-0-0-0-0', { url })];
    await render(<Page />);
    await place();
    expect(model).toMatchObject({ asking: null, order: { url }, state: { kind: 'done', fresh: true } });
  });
});

test('a separate popup window shows only the menu command for which it was opened', async () => {
  vi.stubGlobal('location', { search: '?window=1' });
  await give({ private: true });
  const opening = await readOpening();
  expect(opening).toMatchObject({ tab: { id: undefined, url, private: true }, handed: { orderId: 'order' } });
  await render(<Page />);
  await give({ orderId: 'later' });
  // The fake browser finishes all its work in one turn of the event loop.
  await new Promise((resolve) => setTimeout(resolve));
  expect(model.order).toBeNull();
  expect(browser.storage.session.dump()).toContain('later');
});
