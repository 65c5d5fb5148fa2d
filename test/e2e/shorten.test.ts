import { expect, test } from 'vitest';
import { readClipboard } from './harness/clipboard.ts';
import { openExtensionPage, openPopup, openTab } from './harness/pages.ts';
import { resultIn, shortenOther, shortenPage } from './harness/person.ts';
import { givenChromium, givenConnection, givenSite } from './harness/world.ts';

test('the popup shortens the page: copied at once, and the short URL leads to the page', async () => {
  const { backend, site, browser, page } = await givenConnection();
  const url = page('/river?title=How+to+read+a+river');
  const popup = await shortenPage(browser, url);
  const shown = await resultIn(popup);
  await popup.getByRole('button', { name: 'Copied', exact: true }).waitFor();

  const copied = await readClipboard(browser, site.origin);
  expect(copied).toMatch(new RegExp(`^${backend.shortBaseUrl}/\\w{7}$`));
  expect(copied).toBe(`http://${shown}`);
  const redirect = await fetch(copied, { redirect: 'manual' });
  expect(redirect.headers.get('location')).toBe(url);
});

test('Enter alone is enough, and the next popup over the page shows its link again', async () => {
  const { backend, browser, page } = await givenConnection();
  const tab = await openTab(browser, page('/enter'));
  const popup = await openPopup(browser, tab);
  await popup.getByRole('button', { name: 'Shorten this page' }).waitFor();
  await popup.keyboard.press('Enter');
  const shortUrl = await resultIn(popup);
  await popup.close();

  const later = await openPopup(browser, tab);
  expect(await resultIn(later)).toBe(shortUrl);
  expect(backend.links()).toEqual([page('/enter')]);
});

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

test('any other URL can be typed in', async () => {
  const { backend, browser } = await givenConnection();
  const popup = await openExtensionPage(browser, 'popup');
  await shortenOther(popup, 'www.example.com/typed');
  await resultIn(popup);
  expect(backend.links()).toEqual(['https://www.example.com/typed']);
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

test("a page's title is text, whatever it holds", async () => {
  const { browser, page } = await givenConnection();
  const title = '<img src=x onerror="document.title=1"><b>Bold</b> "\'& \u202Egnp.exe';
  const url = page(`/hostile?title=${encodeURIComponent(title)}`);
  const popup = await shortenPage(browser, url);
  await resultIn(popup);
  const shown = popup.locator('.target-title');
  // All of it but what would turn around the text beside it.
  const visible = title.replace('\u202E', '');
  expect(await shown.textContent()).toBe(visible);
  expect(await popup.locator('main img, main b').count()).toBe(0);

  const links = await openExtensionPage(browser, 'links');
  await links.getByText(visible).waitFor();
  expect(await links.locator('main img, main b').count()).toBe(0);
  expect(await links.title()).toBe('Links');
});

test('“More” gives a link a code, a title and an expiry, and the address that the page calls its own', async () => {
  const { backend, browser, page } = await givenConnection();
  const popup = await openPopup(browser, await openTab(browser, page('/otters?canonical=/otter&utm_source=news')));
  await popup.getByRole('button', { name: 'More' }).click();
  await popup.getByLabel('Remove tracking parameters: utm_source').check();
  await popup.getByRole('button', { name: "Look for the page's own address" }).click();
  await popup.getByRole('button', { name: 'Use this address' }).click();
  await popup.getByLabel('Short code').fill('otters');
  await popup.getByRole('button', { name: 'Is it yours?' }).click();
  await popup.getByText('None of your links has it.').waitFor();
  await popup.getByLabel('Expires').selectOption('In 1 week');
  await popup.getByRole('button', { name: 'Shorten', exact: true }).first().click();
  expect(`http://${await resultIn(popup)}`).toBe(`${backend.shortBaseUrl}/otters`);

  const read = await fetch(`${backend.baseUrl}/api/v1/urls/otters`, {
    headers: { Authorization: `Bearer ${backend.apiKey}` },
  });
  const { url, title, expiresAt } = await read.json();
  expect({ url, title }).toEqual({ url: page('/otter'), title: '/otters' });
  const days = (Date.parse(expiresAt) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(6.9);
  expect(days).toBeLessThan(7.1);

  // The same code once more: the person chooses another.
  const second = await openPopup(browser, await openTab(browser, page('/more-otters')));
  await second.getByRole('button', { name: 'More' }).click();
  await second.getByLabel('Short code').fill('otters');
  await second.getByRole('button', { name: 'Is it yours?' }).click();
  await second.getByText('One of your links has it already.').waitFor();
  await second.getByRole('button', { name: 'Shorten', exact: true }).first().click();
  await second.getByText('This short code is taken. Choose another one.').first().waitFor();
  await second.getByRole('button', { name: 'Change' }).click();
  await second.getByLabel('Short code').fill('more-otters');
  await second.getByRole('button', { name: 'Shorten', exact: true }).first().click();
  expect(`http://${await resultIn(second)}`).toBe(`${backend.shortBaseUrl}/more-otters`);
  expect(backend.links()).toEqual([page('/otter'), page('/more-otters')]);
});
