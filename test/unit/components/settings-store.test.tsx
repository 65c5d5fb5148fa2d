import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { SettingSwitch } from '../../../src/components/setting-switch.tsx';
import { createSettingsStore, type SettingsStore } from '../../../src/components/settings-store.ts';
import { DEFAULT_SETTINGS, readSettings } from '../../../src/storage/settings.ts';
import { browser, resetBrowser } from '../support/fake-browser.ts';
import { control, press, render } from '../support/render.ts';

// @vitest-environment happy-dom

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));
beforeEach(resetBrowser);

let store: SettingsStore;
beforeEach(() => {
  store = createSettingsStore(DEFAULT_SETTINGS);
});

function Page() {
  return (
    <>
      <SettingSwitch name="notifications" store={store} />
      <SettingSwitch name="autoCopy" store={store} />
    </>
  );
}

const settled = () => act(() => new Promise<void>((done) => void setTimeout(done)));

test('a setting that is changed while the browser asks for a permission stays changed', async () => {
  const answer = Promise.withResolvers<boolean>();
  browser.permissions.request.mockReturnValueOnce(answer.promise);
  store.setNotifications(true);
  store.change({ autoCopy: false });
  answer.resolve(true);
  await settled();
  expect(await readSettings()).toEqual({ ...DEFAULT_SETTINGS, autoCopy: false, notifications: true });
  expect(store.settings.value).toEqual(await readSettings());
});

test('changes of two pages at the same time are both kept', async () => {
  const otherPage = createSettingsStore(DEFAULT_SETTINGS);
  store.change({ autoCopy: false });
  otherPage.change({ expiry: 'day' });
  await settled();
  await settled();
  expect(await readSettings()).toEqual({ ...DEFAULT_SETTINGS, autoCopy: false, expiry: 'day' });
});

test('notifications without permission stay off', async () => {
  browser.permissions.request.mockResolvedValueOnce(false);
  store.setNotifications(true);
  await settled();
  expect(store.settings.value.notifications).toBe(false);
});

test.each([
  ['the browser does not ask for the permission', '[notifications]', false],
  ['the change cannot be stored', '[autoCopy]', true],
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
