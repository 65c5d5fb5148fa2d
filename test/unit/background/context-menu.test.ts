import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createMenus, readMenuClick } from '../../../src/background/entry-points/menus-and-shortcuts.ts';
import { freshDisk } from '../support/disk.ts';
import { browser, contextMenus } from '../support/fake-browser.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const WEB = ['http://*/*', 'https://*/*'];
const CONTEXTS = ['page', 'frame', 'selection', 'link', 'image', 'video', 'audio', 'action'];
const made = () => contextMenus.create.mock.calls.map(([properties]) => properties);

beforeEach(() => {
  freshDisk();
  contextMenus.ContextType = Object.fromEntries([...CONTEXTS, 'tab'].map((one) => [one.toUpperCase(), one]));
});

describe('the menus', () => {
  test('offer the page everywhere, also in a reader view or a frame without a URL, and a frame only with a web URL', async () => {
    await createMenus();
    expect(made()).toEqual([
      { id: 'shorten-link', contexts: ['link'], title: '[menuLink]', targetUrlPatterns: WEB },
      { id: 'shorten-selection', contexts: ['selection'], title: '[menuSelection]' },
      { id: 'shorten-image', contexts: ['image'], title: '[menuImage]' },
      { id: 'shorten-media', contexts: ['video', 'audio'], title: '[menuMedia]' },
      { id: 'shorten-frame', contexts: ['frame'], title: '[menuFrame]', documentUrlPatterns: WEB },
      { id: 'shorten-page', contexts: ['page', 'frame', 'selection'], title: '[shortenPage]' },
      { id: 'shorten-tab', contexts: ['action', 'tab'], title: '[shortenPage]' },
      { id: 'open-list', contexts: ['action'], title: '[manyTitle]' },
    ]);
  });

  test('are created once per browser session, not whenever the worker wakes', async () => {
    await createMenus();
    const { length } = made();
    for (const _wake of [1, 2, 3]) await createMenus();
    expect(made()).toHaveLength(length);
    expect(contextMenus.removeAll).toHaveBeenCalledTimes(1);
    browser.storage.session.clear();
    await createMenus();
    expect(made()).toHaveLength(2 * length);
    expect(contextMenus.removeAll).toHaveBeenCalledTimes(2);
  });

  test('contain no context that the browser does not support', async () => {
    delete contextMenus.ContextType.TAB;
    await createMenus();
    expect(made().flatMap(({ contexts }) => contexts)).not.toContain('tab');
    expect(made()).toContainEqual({ id: 'shorten-tab', contexts: ['action'], title: '[shortenPage]' });
  });

  test('do not exist if the browser has no menus', async () => {
    browser.contextMenus = undefined;
    await createMenus();
    expect(made()).toEqual([]);
  });
});

describe('a click on a menu item', () => {
  const info = { editable: false, modifiers: [], pageUrl: 'https://x.example/page' };
  const tab = { title: 'The page', url: 'https://x.example/page' } as Parameters<typeof readMenuClick>[1];

  test.each([
    ['on the page', { ...info, menuItemId: 'shorten-page' }, { url: 'https://x.example/page', title: 'The page' }],
    ['on a tab', { ...info, menuItemId: 'shorten-tab' }, { url: 'https://x.example/page', title: 'The page' }],
    [
      'on a link',
      { ...info, menuItemId: 'shorten-link', linkUrl: 'https://y.example/', linkText: 'There' },
      { url: 'https://y.example/', title: 'There' },
    ],
    [
      'on a link around an image',
      { ...info, menuItemId: 'shorten-link', linkUrl: 'https://y.example/', srcUrl: 'https://y.example/i.png' },
      { url: 'https://y.example/', title: '' },
    ],
    [
      'on an image',
      { ...info, menuItemId: 'shorten-image', srcUrl: 'https://y.example/i.png' },
      { url: 'https://y.example/i.png', title: '' },
    ],
    [
      'on a video',
      { ...info, menuItemId: 'shorten-media', srcUrl: 'https://y.example/f.webm' },
      { url: 'https://y.example/f.webm', title: '' },
    ],
    [
      'on a frame',
      { ...info, menuItemId: 'shorten-frame', frameUrl: 'https://y.example/f' },
      { url: 'https://y.example/f', title: '' },
    ],
    [
      "in a frame, with the page's menu item,",
      { ...info, menuItemId: 'shorten-page', pageUrl: 'https://ads.example/', frameUrl: 'https://ads.example/' },
      { url: 'https://x.example/page', title: 'The page' },
    ],
    [
      'in a frame without a URL',
      { ...info, menuItemId: 'shorten-page', frameUrl: 'about:srcdoc' },
      { url: 'https://x.example/page', title: 'The page' },
    ],
    ['on selected text', { ...info, menuItemId: 'shorten-selection', selectionText: 'words' }, { text: 'words' }],
    ['with the menu item for a list', { ...info, menuItemId: 'open-list' }, 'list'],
    ['on an element without a URL', { ...info, menuItemId: 'shorten-image' }, { url: '', title: '' }],
  ])('%s', (_name, clicked, result) => {
    expect(readMenuClick(clicked, tab)).toEqual(result);
  });

  test('without a tab has no title', () => {
    expect(readMenuClick({ ...info, menuItemId: 'shorten-page' }, undefined)).toEqual({ url: info.pageUrl, title: '' });
  });
});
