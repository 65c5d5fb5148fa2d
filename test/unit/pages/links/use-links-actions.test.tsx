import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type LinksActions, useLinksActions } from '../../../../src/pages/links/use-links-actions.ts';
import { link } from '../../../gallery/fixtures.ts';
import { browser, resetBrowser, windows } from '../../support/fake-browser.ts';
import { render } from '../../support/render.ts';

// @vitest-environment happy-dom

vi.mock('../../../../src/browser/browser.ts', () => import('../../support/fake-browser.ts'));

const show = vi.fn();
const flash = { change: vi.fn(), show } as unknown as Parameters<typeof useLinksActions>[0];
const removal = { remove: vi.fn(), undo: vi.fn(), hold: vi.fn() };
const history = { read: vi.fn() };
let handlers: LinksActions;

function Page() {
  handlers = useLinksActions(flash, removal, history, [], true);
  return null;
}

beforeEach(async () => {
  resetBrowser();
  browser.extension.inIncognitoContext = false;
  show.mockReset();
  await render(<Page />);
});

const secret = link({ private: true, shortUrl: 'https://s.example/secret' });
const plain = link({ shortUrl: 'https://s.example/plain' });
const REFUSED = { text: '[refusal_internal]', url: secret.shortUrl };

describe('a private link is opened', () => {
  test('in an existing private window if the page is in a normal window', async () => {
    windows.getAll.mockResolvedValue([
      { id: 1, incognito: false },
      { id: 2, incognito: true },
      { id: 3, incognito: false },
    ]);
    handlers.open(secret);
    await vi.waitFor(() => expect(show).toHaveBeenCalledWith(null));
    expect(windows.getAll).toHaveBeenCalledExactlyOnceWith({ windowTypes: ['normal'] });
    expect(browser.tabs.create).toHaveBeenCalledExactlyOnceWith({ url: secret.shortUrl, windowId: 2 });
    expect(windows.update).toHaveBeenCalledExactlyOnceWith(2, { focused: true });
    expect(windows.create).not.toHaveBeenCalled();
  });

  test('in a new private window if there is none', async () => {
    handlers.open(secret);
    await vi.waitFor(() => expect(show).toHaveBeenCalledWith(null));
    expect(windows.create).toHaveBeenCalledExactlyOnceWith({ url: secret.shortUrl, incognito: true });
    expect(browser.tabs.create).not.toHaveBeenCalled();
  });

  test('in a new tab if the page itself is in a private window', () => {
    browser.extension.inIncognitoContext = true;
    handlers.open(secret);
    expect(browser.tabs.create).toHaveBeenCalledExactlyOnceWith({ url: secret.shortUrl });
    expect(windows.create).not.toHaveBeenCalled();
  });

  test.each([
    [
      'the browser opens no private window',
      () => windows.create.mockRejectedValue(new Error('Incognito is disabled.')),
    ],
    [
      'the browser has no windows',
      () => {
        browser.windows = undefined;
      },
    ],
  ])('nowhere if %s, and a message shows its short URL', async (_why, refuse) => {
    refuse();
    handlers.open(secret);
    await vi.waitFor(() => expect(show).toHaveBeenCalledExactlyOnceWith(REFUSED));
    expect(browser.tabs.create).not.toHaveBeenCalled();
  });
});

test('other links open in a new tab, but only if their short URL is a web address', () => {
  handlers.open(plain);
  handlers.open(link({ shortUrl: 'javascript:alert(1)' }));
  handlers.open(link({ shortUrl: 'javascript:alert(1)', private: true }));
  expect(browser.tabs.create).toHaveBeenCalledExactlyOnceWith({ url: plain.shortUrl });
  expect(windows.create).not.toHaveBeenCalled();
});
