import { beforeEach, expect, test, vi } from 'vitest';
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
  handlers = useLinksActions(flash, removal, history, []);
  return null;
}

beforeEach(async () => {
  resetBrowser();
  show.mockReset();
  await render(<Page />);
});

const plain = link({ shortUrl: 'https://s.example/plain' });

test('links open in a new tab, but only if their short URL is a web address', () => {
  handlers.open(plain);
  handlers.open(link({ shortUrl: 'javascript:alert(1)' }));
  expect(browser.tabs.create).toHaveBeenCalledExactlyOnceWith({ url: plain.shortUrl });
  expect(windows.create).not.toHaveBeenCalled();
});
