import { beforeEach, describe, expect, test, vi } from 'vitest';

// @vitest-environment happy-dom

const tabs = [
  { id: 1, windowId: 1, url: 'https://a.example/', title: 'A', incognito: false },
  { id: 2, windowId: 1, url: 'moz-extension://own/src/many/index.html', title: 'Bulk shorten', incognito: false },
  { id: 3, windowId: 2, url: 'https://private.example/', title: 'P', incognito: true },
  { id: 4, windowId: 1, url: undefined, title: 'Not told', incognito: false },
  { id: 5, windowId: 3, url: 'https://other-private.example/', title: 'O', incognito: true },
];
/** Id of the window that contains the bulk page. */
let current = 1;
const browser = {
  extension: { inIncognitoContext: false },
  permissions: { request: vi.fn(async (_asked: unknown) => true), remove: vi.fn(async (_asked: unknown) => true) },
  runtime: { getURL: (path: string) => `moz-extension://own/${path}` },
  scripting: { executeScript: vi.fn() },
  tabs: {
    query: vi.fn(async ({ currentWindow = false }: { currentWindow?: boolean }) =>
      tabs.filter(({ windowId }) => !currentWindow || windowId === current),
    ),
  },
};
vi.mock('../../../../src/browser/browser.ts', () => ({ default: browser }));
const { readSelectedLinks } = await import('../../../../src/browser/read-page.ts');
const { readTabs } = await import('../../../../src/pages/bulk/collect-urls.ts');

beforeEach(() => {
  vi.clearAllMocks();
  current = 1;
  browser.extension.inIncognitoContext = false;
});

describe('open tabs', () => {
  test('are read from the current window, except extension pages and tabs without a URL', async () => {
    expect(await readTabs()).toEqual([{ text: 'https://a.example/', title: 'A', isNamed: true }]);
  });

  test('of private windows are never added to a list', async () => {
    current = 2;
    expect(await readTabs()).toEqual([]);
  });

  test('need only the permission "tabs", which is then given back', async () => {
    await readTabs();
    for (const { mock } of [browser.permissions.request, browser.permissions.remove])
      expect(mock.calls).toEqual([[{ permissions: ['tabs'] }]]);
  });
});

test('the links of a selection are read in every frame of the tab, and are empty if nothing is selected', async () => {
  document.body.innerHTML = '<p id="in">One <a href="https://a.example/x">A link</a></p>';
  browser.scripting.executeScript.mockImplementation(async ({ func }: { func: () => unknown }) => [
    { result: func() },
    { result: null },
  ]);
  expect(await readSelectedLinks(7)).toEqual([]);
  getSelection()?.selectAllChildren(document.querySelector('#in') as Element);
  expect(await readSelectedLinks(7)).toEqual([{ text: 'https://a.example/x', title: 'A link' }]);
  expect(browser.scripting.executeScript.mock.lastCall?.[0].target).toEqual({ tabId: 7, allFrames: true });
});
