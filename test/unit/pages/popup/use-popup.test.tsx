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
const NO_QUEUES = vi.hoisted(() => ({ queues: [], unassigned: [] }));
vi.mock('../../../../src/storage/load-page-data.ts', () => ({
  readVisibleLinks: async () => stored.links,
  readVisibleQueues: async () => NO_QUEUES,
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
  popupTarget.give({ private: false, at: Date.now(), orderId: 'order', url, title: 'Chosen', ...part });

beforeEach(() => {
  resetBrowser();
  stored.links = [];
});
afterEach(vi.unstubAllGlobals);

test('what is handed over while the popup is open is shown', async () => {
  await render(<Page />);
  await give();
  await vi.waitFor(() => expect(model.order).toMatchObject({ id: 'order', url }));
});

test('what was handed over between the first reading and the watching is shown too', async () => {
  await give();
  await render(<Page />);
  await vi.waitFor(() => expect(model.order).toMatchObject({ id: 'order', url }));
});

test.each<[string, Partial<PopupTarget>]>([
  ['of a private window', { private: true }],
  ['asked for in another tab', { tabId: 2 }],
])('what is %s is not shown over this page, and is left for its own', async (_what, part) => {
  browser.tabs.query.mockResolvedValue([{ id: 1, url: tab.url, incognito: false } as { incognito: boolean }]);
  await render(<Page />);
  await give({ orderId: 'elsewhere', ...part });
  expect(await readOpening()).toMatchObject({ tab: { id: 1, private: false }, handed: null });
  expect(browser.storage.session.dump()).toContain('elsewhere');
  await give({ tabId: 1 });
  await vi.waitFor(() => expect(model.order).toMatchObject({ id: 'order' }));
});

test('what was asked for in a private window is shown by the popup of one', async () => {
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

describe('while the background is asked', () => {
  const order = { ...tab, connectionId: null, userInfoRemoved: false, options: NO_OPTIONS, anew: false };
  const place = () =>
    act(async () => {
      vi.spyOn(crypto, 'randomUUID').mockReturnValueOnce('0-0-0-0-0');
      browser.runtime.sendMessage.mockReturnValue(new Promise(() => {}));
      void model.commands.place({ ...order, url });
    });

  test('the popup shows what it showed before', async () => {
    await render(<Page />);
    await place();
    expect(model).toMatchObject({ asking: url, order: null, target: { url: tab.url } });
  });

  test('a link that is stored already is shown, though no reply has come', async () => {
    stored.links = [aLink('0-0-0-0-0', { url })];
    await render(<Page />);
    await place();
    expect(model).toMatchObject({ asking: null, order: { url }, state: { kind: 'done', fresh: true } });
  });
});

test('a window of its own shows what it was opened for, and leaves what is asked for later to its own popup', async () => {
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
