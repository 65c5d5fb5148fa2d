// @vitest-environment happy-dom
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { DEFAULT_SETTINGS, readSettings } from '../../../src/storage/settings.ts';
import { useSettings } from '../../../src/ui/use-settings.ts';
import { browser, resetBrowser } from '../support/fake-browser.ts';
import { render } from './render.ts';

vi.mock('../../../src/platform/browser.ts', () => import('../support/fake-browser.ts'));
beforeEach(resetBrowser);

let page: ReturnType<typeof useSettings>;
function Page() {
  page = useSettings(DEFAULT_SETTINGS);
  return null;
}

const settled = () => act(() => new Promise<void>((done) => void setTimeout(done)));

test('a switch that is changed while the browser asks for a permission stays changed', async () => {
  const answer = Promise.withResolvers<boolean>();
  browser.permissions.request.mockReturnValueOnce(answer.promise);
  await render(<Page />);
  await act(() => page.setNotifications(true));
  await act(() => page.change({ autoCopy: false }));
  answer.resolve(true);
  await settled();
  expect(await readSettings()).toEqual({ ...DEFAULT_SETTINGS, autoCopy: false, notifications: true });
  expect(page.settings).toEqual(await readSettings());
});

test('two changes at once are both kept', async () => {
  await render(<Page />);
  await act(() => {
    page.change({ shortenOnOpen: true });
    page.change({ theme: 'dark' });
  });
  await settled();
  expect(await readSettings()).toEqual({ ...DEFAULT_SETTINGS, shortenOnOpen: true, theme: 'dark' });
});

test('notifications that are not allowed stay off', async () => {
  browser.permissions.request.mockResolvedValueOnce(false);
  await render(<Page />);
  await act(() => page.setNotifications(true));
  await settled();
  expect(page.settings.notifications).toBe(false);
});
