import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Browser } from './harness/chromium.ts';
import { readClipboard } from './harness/clipboard.ts';
import { SHIPPED } from './harness/extension-copy.ts';
import { openTab, popupWindow } from './harness/pages.ts';
import { resultIn } from './harness/person.ts';
import { inWorker } from './harness/worker.ts';
import { givenConnection } from './harness/world.ts';

/** Clicks an item in the context menu of the tab in front, "Shorten this page" by itself, where no screen shows a menu. */
function clickMenu(browser: Browser, url: string, info: object = { menuItemId: 'shorten-page' }): Promise<void> {
  const tab = JSON.stringify({ url, title: 'From the menu', incognito: false });
  return inWorker(browser, `chrome.contextMenus.onClicked.dispatch(${JSON.stringify(info)}, ${tab})`);
}

test('after a click in the context menu the popup opens and shows what became of it', async () => {
  const { backend, site, browser, page } = await givenConnection();
  const tab = await openTab(browser, page('/menu'));
  await clickMenu(browser, page('/menu'));
  const popup = await popupWindow(browser);
  const shortUrl = await resultIn(popup);
  await popup.getByRole('button', { name: 'Copied', exact: true }).waitFor();
  expect(await readClipboard(browser, site.origin)).toBe(`http://${shortUrl}`);
  await popup.close();

  // The same page again: the same link, and it is said that it was there.
  await tab.bringToFront();
  await clickMenu(browser, page('/menu'));
  const again = await popupWindow(browser);
  expect(await resultIn(again)).toBe(shortUrl);
  await again.getByText('Made today').waitFor();
  await again.getByRole('button', { name: 'Copied', exact: true }).waitFor();
  expect(backend.links()).toEqual([page('/menu')]);
});

test('what cannot be shortened is not passed over in silence, and menus and address bar ask for no permission', async () => {
  const { backend, browser, options, page } = await givenConnection();
  // At its installation the browser warned of what copying needs, and of nothing else.
  const manifest = readFileSync(`${SHIPPED.chrome}/manifest.json`, 'utf8');
  const warnings = await options.evaluate((text) => chrome.management.getPermissionWarningsByManifest(text), manifest);
  expect(warnings).toEqual(['Modify data you copy and paste']);
  await openTab(browser, page('/'));
  await clickMenu(browser, 'file:///home/me/notes.txt');
  const popup = await popupWindow(browser);
  await popup.getByRole('region').getByText('This file is on your computer.').waitFor();
  await popup.close();
  await clickMenu(browser, page('/'), { menuItemId: 'shorten-image', srcUrl: 'data:image/gif;base64,R0lGOD' });
  const ofImage = await popupWindow(browser);
  await ofImage.getByRole('region').getByText('Only addresses that start with http or https').waitFor();
  await ofImage.close();
  await clickMenu(browser, page('/'), { menuItemId: 'shorten-selection', selectionText: 'How to read a river' });
  const ofText = await popupWindow(browser);
  await ofText.getByRole('heading', { name: 'How to read a river' }).waitFor();
  await ofText.getByRole('region').getByText('The selected text has no address in it.').waitFor();
  expect(backend.links()).toEqual([]);
});
