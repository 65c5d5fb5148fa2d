import { beforeEach, describe, expect, test, vi } from 'vitest';
import { describeEnter, onAddressBar } from '../../../src/background/entry-points/menus-and-shortcuts.ts';
import { handedList, handedSearch } from '../../../src/messages/open-page-with-data.ts';
import { addLinks, aLink } from '../storage/stored.ts';
import { freshDisk } from '../support/disk.ts';
import { browser, windows } from '../support/fake-browser.ts';
import { takePopupTarget } from '../support/handed-over.ts';
import { connected, type TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const KNOWN = aLink('known', { url: 'https://x.example/river', title: 'How to read a river' });
let worker: TestWorker;
let enter: (text: string) => Promise<void>;

const typingIn = (window: 'ordinary' | 'private' | 'unknown') =>
  browser.tabs.query.mockResolvedValue(window === 'unknown' ? [] : [{ incognito: window === 'private' }]);
const opened = () => browser.tabs.create.mock.calls.map(([{ url }]) => url);
beforeEach(async () => {
  freshDisk();
  vi.stubGlobal('navigator', { clipboard: { writeText: async () => {} } });
  windows.getAll.mockResolvedValue([{ incognito: false }, { incognito: true }]);
  typingIn('ordinary');
  worker = await connected('full');
  await addLinks(worker.store, [KNOWN]);
  enter = (text) => onAddressBar(worker.context, text);
});

test('the first line of the address bar says what Enter does', async () => {
  await describeEnter();
  expect(browser.omnibox.setDefaultSuggestion.mock.calls).toEqual([[{ description: '[omniboxHint]' }]]);
});

describe('Enter', () => {
  test('on a URL shortens it like any other entry point', async () => {
    await enter('https://me:secret@y.example/a');
    await enter('y.example/a');
    expect(await worker.requests()).toMatchObject([{ url: 'https://y.example/a' }]);
    await enter('https://x.example/river');
    expect(await worker.requests()).toHaveLength(1);
    expect(await takePopupTarget()).toMatchObject({ existing: { linkId: 'known' } });
  });

  test.each([
    ['https://y.example/wiki/Airplane!', 'https://y.example/wiki/Airplane!'],
    ['https://y.example/Annual Report 2024', 'https://y.example/Annual%20Report%202024'],
    ['https://y.example/?f=A|B', 'https://y.example/?f=A|B'],
    ['http://wiki/Home', 'http://wiki/Home'],
  ])('on a URL sends all of it: %s', async (typed, url) => {
    await enter(typed);
    expect(await worker.requests()).toMatchObject([{ url }]);
  });

  test('on an unknown short URL of our own service is refused', async () => {
    await enter('https://s.example/other');
    expect(await takePopupTarget()).toMatchObject({ refusal: 'own_short_link' });
  });

  test.each([
    'file:///home/me/notes.txt',
    'ftp://x.example/a',
    'javascript:alert(1)',
    'data:text/html,x',
    'about:blank',
    'mailto:jane@example.com',
  ])('on %s is refused', async (text) => {
    await enter(text);
    expect(await takePopupTarget()).toMatchObject({ url: text, refusal: 'not_shortenable' });
  });

  test('on several URLs opens the list', async () => {
    await enter('https://a.example https://b.example');
    expect(opened()).toEqual(['chrome-extension://abcdefgh/src/pages/bulk/index.html']);
    expect(await handedList.take()).toMatchObject({ text: 'https://a.example https://b.example' });
  });

  test.each(['read river', 'data: mining', 'file: taxes', 'about: us'])(
    "on words opens the links page with the search, and no trace of it in the page's address: %s",
    async (words) => {
      await enter(` ${words} `);
      expect(opened()).toEqual(['chrome-extension://abcdefgh/src/pages/links/index.html']);
      expect(await handedSearch.take()).toMatchObject({ words });
    },
  );
});
