import { expect, test } from 'vitest';
import { readClipboard } from './harness/clipboard.ts';
import { openExtensionPage, openPopup, openTab } from './harness/pages.ts';
import { resultIn, shortenOther } from './harness/person.ts';
import { givenChromium, givenConnection, givenSite } from './harness/world.ts';

test('a popup that was closed before the link arrived and opened again copies it', async () => {
  const { backend, site, browser, page } = await givenConnection();
  const tab = await openTab(browser, page('/late'));
  await backend.stop();
  const popup = await openPopup(browser, tab);
  await popup.getByRole('button', { name: 'Shorten this page' }).click();
  await popup.getByText('The service cannot be reached.').first().waitFor();
  await popup.close();

  const later = await openPopup(browser, tab);
  await later.getByText('The service cannot be reached.').first().waitFor();
  await backend.start();
  await later.getByRole('button', { name: 'Copied', exact: true }).waitFor({ timeout: 60_000 });
  const shown = await resultIn(later);
  expect(await readClipboard(browser, site.origin)).toBe(`http://${shown}`);
});

test("a page of the browser's own says that it cannot be shortened", async () => {
  const { browser } = await givenConnection();
  const popup = await openPopup(browser, await openTab(browser, 'chrome://version/'));
  await popup.getByText('so it cannot be shortened').waitFor();
  expect(await popup.getByRole('button', { name: 'Shorten this page' }).count()).toBe(0);
});

test('a short URL of the service is not shortened again', async () => {
  const { backend, browser } = await givenConnection();
  const popup = await openExtensionPage(browser, 'popup');
  await shortenOther(popup, `${backend.shortBaseUrl}/abc`);
  await popup.getByText('This is already one of your own short URLs.').waitFor();
  expect(backend.links()).toEqual([]);
});

test('without a connection the popup leads to the page for a new person in one click', async () => {
  const [browser, site] = await Promise.all([givenChromium(), givenSite()]);
  const popup = await openPopup(browser, await openTab(browser, site.origin));
  await popup.getByRole('button', { name: 'Connect a service' }).click();
  await expect
    .poll(() => browser.context.pages().map((tab) => tab.url()))
    .toContainEqual(expect.stringContaining('/src/welcome/index.html'));
});
