import fc from 'fast-check';
import sax from 'sax';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { EntryPoints } from '../../../src/background/entry-points/menus-and-shortcuts.ts';
import {
  describeEnter,
  Omnibox,
  type Suggestion,
  suggestionsFor,
} from '../../../src/background/entry-points/omnibox.ts';
import { BrowserShortener } from '../../../src/background/entry-points/shorten-from-browser.ts';
import { handedList, handedSearch } from '../../../src/messages/open-page-with-data.ts';
import { addLinks, aLink } from '../storage/stored.ts';
import { freshDisk } from '../support/disk.ts';
import { browser, windows } from '../support/fake-browser.ts';
import { takePopupTarget } from '../support/handed-over.ts';
import { connected, NOW, type TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const KNOWN = aLink('known', { url: 'https://x.example/river', title: 'How to read a river' });
let worker: TestWorker;
let omnibox: Omnibox;

const typingIn = (window: 'ordinary' | 'private' | 'unknown') =>
  browser.tabs.query.mockResolvedValue(window === 'unknown' ? [] : [{ incognito: window === 'private' }]);
const opened = () => browser.tabs.create.mock.calls.map(([{ url }]) => url);
const listed = async (text: string) => {
  const suggest = vi.fn((_suggestions: Suggestion[]) => {});
  await omnibox.changed(text, suggest);
  return suggest.mock.lastCall?.[0].map(({ content }) => content);
};

beforeEach(async () => {
  freshDisk();
  vi.stubGlobal('navigator', { clipboard: { writeText: async () => {} } });
  windows.getAll.mockResolvedValue([{ incognito: false }, { incognito: true }]);
  typingIn('ordinary');
  worker = await connected('full');
  await addLinks(worker.store, [KNOWN]);
  const shortener = new BrowserShortener({
    commands: worker.commands,
    privateRequests: worker.privateRequests,
    newId: () => crypto.randomUUID(),
    now: () => Date.now(),
    flash: async () => {},
  });
  omnibox = new Omnibox({ shortener, entryPoints: new EntryPoints(shortener), now: () => worker.now });
});

describe('suggestions in the address bar', () => {
  test('let Chrome describe the text that is typed now, whatever was typed before', async () => {
    await describeEnter();
    await listed('https://fonts.example/');
    await omnibox.entered('https://fonts.example/');
    expect(browser.omnibox.setDefaultSuggestion.mock.calls).toEqual([[{ description: '[omniboxEnter %s]' }]]);
  });

  test('omit the text from the first line in Firefox, which shows the line late', async () => {
    browser.runtime.getURL.mockReturnValue('moz-extension://abcdefgh/');
    await describeEnter();
    expect(browser.omnibox.setDefaultSuggestion.mock.calls).toEqual([[{ description: '[omniboxHint]' }]]);
  });

  test('contain links with all words, ignoring case', async () => {
    expect(await listed('RIVER how')).toEqual([KNOWN.shortUrl]);
    expect(await listed('river lake')).toEqual([]);
    expect(await listed(' ')).toEqual([]);
  });

  test('contain no links that expired, have no connection, or are no longer listed by their service', async () => {
    await addLinks(worker.store, [
      aLink('forged', {
        title: 'River bank',
        shortUrl: 'https://evil.example/x',
        connectionId: null,
      }),
      aLink('gone', { title: 'River bank', unlisted: true }),
      aLink('expired', { title: 'River bank', expiresAt: NOW }),
    ]);
    expect(await listed('river bank')).toEqual([]);
    await omnibox.entered('https://evil.example/x');
    expect(await takePopupTarget()).not.toHaveProperty('existing');
    await omnibox.entered('https://s.example/expired');
    expect(await takePopupTarget()).not.toHaveProperty('existing');
  });

  test('omit a link that expires while the user types', async () => {
    await addLinks(worker.store, [aLink('soon', { title: 'River bank', expiresAt: NOW + 1 })]);
    expect(await listed('river bank')).toEqual(['https://s.example/soon']);
    worker.pass(1);
    expect(await listed('river ban')).toEqual([]);
  });

  test('read the history once, not at each key press', async () => {
    const read = vi.spyOn(indexedDB, 'open');
    for (const text of ['r', 'ri', 'riv']) await listed(text);
    expect(read).toHaveBeenCalledTimes(1);
    omnibox.ended();
    await listed('r');
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('are limited to a few of many links', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => aLink(`link-${index}`, { title: 'A river' }));
    expect(suggestionsFor('river', many).map(({ content }) => content)).toEqual(
      many.slice(0, 6).map(({ shortUrl }) => shortUrl),
    );
  });
});

test('the address bar finds and shows what people see, and copies the readable short URL', async () => {
  const url = 'https://xn--mnchen-3ya.de/%E3%82%AB%E3%83%AF';
  await addLinks(worker.store, [aLink('seen', { url, title: '', shortUrl: 'https://xn--krz-hoa.example/a' })]);
  for (const text of ['MÜNCHEN', 'カワ', 'kürz']) expect(await listed(text)).toEqual(['https://kürz.example/a']);
  await omnibox.entered('https://kürz.example/a');
  expect(await takePopupTarget()).toMatchObject({ existing: { shortUrl: 'https://xn--krz-hoa.example/a' } });
});

describe('Enter', () => {
  test('on a URL shortens it like any other entry point', async () => {
    await omnibox.entered('https://me:secret@y.example/a');
    await omnibox.entered('y.example/a');
    expect(await worker.requests()).toMatchObject([{ url: 'https://y.example/a' }]);
    await omnibox.entered('https://x.example/river');
    expect(await worker.requests()).toHaveLength(1);
    expect(await takePopupTarget()).toMatchObject({ existing: { linkId: 'known' } });
  });

  test.each([
    ['https://y.example/wiki/Airplane!', 'https://y.example/wiki/Airplane!'],
    ['https://y.example/Annual Report 2024', 'https://y.example/Annual%20Report%202024'],
    ['https://y.example/?f=A|B', 'https://y.example/?f=A|B'],
    ['http://wiki/Home', 'http://wiki/Home'],
  ])('on a URL sends all of it: %s', async (typed, url) => {
    await omnibox.entered(typed);
    expect(await worker.requests()).toMatchObject([{ url }]);
  });

  test('on a suggested link copies it, even if a newer link has the same URL', async () => {
    await addLinks(worker.store, [aLink('newer', { url: KNOWN.url, createdAt: KNOWN.createdAt + 1 })]);
    await omnibox.entered(KNOWN.shortUrl);
    expect(await takePopupTarget()).toMatchObject({
      url: KNOWN.url,
      title: KNOWN.title,
      existing: { linkId: 'known' },
    });
  });

  test('on an unknown short URL of our own service is refused', async () => {
    await omnibox.entered('https://s.example/other');
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
    await omnibox.entered(text);
    expect(await takePopupTarget()).toMatchObject({ url: text, refusal: 'not_shortenable' });
  });

  test('on several URLs opens the list', async () => {
    await omnibox.entered('https://a.example https://b.example');
    expect(opened()).toEqual(['chrome-extension://abcdefgh/src/pages/bulk/index.html']);
    expect(await handedList.take()).toMatchObject({ text: 'https://a.example https://b.example' });
  });

  test.each(['read river', 'data: mining', 'file: taxes', 'about: us'])(
    "on words opens the links page with the search, and no trace of it in the page's address: %s",
    async (words) => {
      await omnibox.entered(` ${words} `);
      expect(opened()).toEqual(['chrome-extension://abcdefgh/src/pages/links/index.html']);
      expect(await handedSearch.take()).toMatchObject({ words });
    },
  );

  test('on a URL works even if the history cannot be read', async () => {
    vi.spyOn(indexedDB, 'open').mockImplementationOnce(() => {
      throw new Error('The disk is gone.');
    });
    await omnibox.entered('https://y.example/a');
    expect(await worker.requests()).toHaveLength(1);
  });
});

describe('a description', () => {
  function readXml(xml: string): string {
    let text = '';
    const parser = sax.parser(true);
    parser.onerror = (error) => {
      throw error;
    };
    parser.ontext = (part) => {
      text += part;
    };
    parser.write(`<fragment>${xml}</fragment>`).close();
    return text;
  }

  test('is well-formed XML with the same text for Chrome, whatever the title contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (title) => {
        const [found] = suggestionsFor('s.example', [aLink('x', { title: `<b>&${title}` })]);
        expect(readXml(found?.description ?? '')).toContain('<b>&');
      }),
    );
    const [found] = suggestionsFor('s.example', [aLink('x', { title: 'a\u0000<&>\ud800 𝄞' })]);
    expect(readXml(found?.description ?? '')).toContain('a<&> 𝄞');
  });

  test('is plain text for Firefox', () => {
    browser.runtime.getURL.mockReturnValue('moz-extension://abcdefgh/');
    const [found] = suggestionsFor('river', [aLink('x', { title: 'Rivers & <lakes>' })]);
    expect(found?.description).toBe('https://s.example/x · Rivers & <lakes>');
  });
});
