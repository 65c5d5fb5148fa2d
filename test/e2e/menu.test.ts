import { expect, test } from 'vitest';
import type { Browser } from './harness/chromium.ts';
import { readClipboard } from './harness/clipboard.ts';
import { openTab, popupWindow } from './harness/pages.ts';
import { resultIn } from './harness/person.ts';
import { inWorker } from './harness/worker.ts';
import { givenConnection } from './harness/world.ts';

/** Clicks "Shorten this page" in the context menu of the tab in front, where no screen shows a menu. */
function clickMenu(browser: Browser, url: string): Promise<void> {
  const tab = JSON.stringify({ url, title: 'From the menu', incognito: false });
  return inWorker(browser, `chrome.contextMenus.onClicked.dispatch({ menuItemId: 'shorten-page' }, ${tab})`);
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

test('a page that cannot be shortened is not passed over in silence', async () => {
  const { backend, browser, page } = await givenConnection();
  await openTab(browser, page('/'));
  await clickMenu(browser, 'file:///home/me/notes.txt');
  const popup = await popupWindow(browser);
  await popup.getByRole('region').getByText('This file is on your computer.').waitFor();
  expect(backend.links()).toEqual([]);
});
