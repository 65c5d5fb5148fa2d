import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { useSettings } from '../../../../src/components/hooks/use-settings-and-theme.ts';
import { ToggleSwitch } from '../../../../src/components/toggle-switch.tsx';
import { DEFAULT_SETTINGS, readSettings } from '../../../../src/storage/settings.ts';
import { browser, resetBrowser } from '../../support/fake-browser.ts';
import { control, press, render } from '../../support/render.ts';

// @vitest-environment happy-dom

vi.mock('../../../../src/browser/browser.ts', () => import('../../support/fake-browser.ts'));
beforeEach(resetBrowser);

let page: ReturnType<typeof useSettings>;
function Page() {
  page = useSettings(DEFAULT_SETTINGS);
  const { settings, change, setNotifications } = page;
  return (
    <>
      <ToggleSwitch
        id="notifications"
        label="Notifications"
        help=""
        on={settings.notifications}
        set={setNotifications}
      />
      <ToggleSwitch id="copy" label="Copy" help="" on={settings.autoCopy} set={(autoCopy) => change({ autoCopy })} />
    </>
  );
}

const settled = () => act(() => new Promise<void>((done) => void setTimeout(done)));

test('a setting that is changed while the browser asks for a permission stays changed', async () => {
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

test('two changes at the same time are both kept', async () => {
  await render(<Page />);
  await act(() => {
    page.change({ shortenOnOpen: true });
    page.change({ theme: 'dark' });
  });
  await settled();
  expect(await readSettings()).toEqual({ ...DEFAULT_SETTINGS, shortenOnOpen: true, theme: 'dark' });
});

test('notifications without permission stay off', async () => {
  browser.permissions.request.mockResolvedValueOnce(false);
  await render(<Page />);
  await act(() => page.setNotifications(true));
  await settled();
  expect(page.settings.notifications).toBe(false);
});

test.each([
  ['the browser does not ask for the permission', 'Notifications', false],
  ['the change cannot be stored', 'Copy', true],
])('a setting returns to its old value if %s', async (_why, name, before) => {
  browser.permissions.request.mockRejectedValueOnce(new Error('This function must be called by a gesture.'));
  const storing = vi.spyOn(browser.storage.local, 'set').mockRejectedValueOnce(new Error('The disk is full.'));
  await render(<Page />);
  const box = control(name) as HTMLInputElement;
  await press(name);
  await settled();
  expect(box.checked).toBe(before);
  storing.mockRestore();
});
