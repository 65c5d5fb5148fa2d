import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { givenPage, makeLink, openDashboard } from './harness/dashboard.ts';

const dashboard = openDashboard();

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

const focused = (page: Page) => page.locator(':focus').getAttribute('id');

test('the "New link" panel creates a link and copies its short URL', async () => {
  const { backend } = dashboard;
  const page = await givenPage(CLIPBOARD);
  await dashboard.signIn(page);
  await page.goto(`${backend.baseUrl}/links`);
  const opener = page.getByRole('link', { name: 'New link' });
  const panel = page.getByRole('dialog', { name: 'New link' });
  await opener.click();
  expect(await focused(page)).toBe('url');
  await page.keyboard.type('nonsense');
  await page.keyboard.press('Escape');
  expect(await panel.isVisible()).toBe(false);
  expect(await opener.evaluate((link) => link === document.activeElement)).toBe(true);

  await page.keyboard.press('Enter');
  expect(await page.getByLabel('Address').inputValue()).toBe('nonsense');
  await page.getByLabel('Short code').fill('mine');
  await page.getByLabel('Short code').press('Enter');
  await panel.getByText('Please enter a valid URL.').waitFor();
  expect(await focused(page)).toBe('url');
  expect(await page.getByLabel('Short code').inputValue()).toBe('mine');

  await page.getByLabel('Address').fill('http://127.0.0.1:1/panel');
  await page.getByRole('button', { name: 'Create and copy' }).click();
  await page.getByText('Your link is ready and copied').waitFor();
  expect(await copied(page)).toBe(`${backend.shortBaseUrl}/mine`);
  expect(await page.locator('.link').count()).toBe(1);
});

test('the dashboard can be installed, and shortens a URL that a phone shares with one tap', async () => {
  const { backend } = dashboard;
  const page = await givenPage({ ...CLIPBOARD, viewport: { width: 320, height: 568 }, isMobile: true, hasTouch: true });
  await dashboard.signIn(page);
  const browser = await page.context().newCDPSession(page);
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors');
  // Chromium treats a test browser without a profile as incognito.
  expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito']);
  expect((await browser.send('Page.getAppManifest')).errors).toEqual([]);

  await page.goto(`${backend.baseUrl}/links/new?title=A+page&text=Look:+http://127.0.0.1:1/shared.`);
  const button = page.getByRole('button', { name: 'Create link' });
  const box = await button.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(568);
  await page.keyboard.press('Enter');
  expect(await page.getByLabel('Address').inputValue()).toBe('http://127.0.0.1:1/shared');
  await button.tap();
  await page.getByText('Your link is ready and copied').waitFor();
  expect(await copied(page)).toBe(await page.locator('[data-created]').getAttribute('data-created'));
  expect(await page.locator('.link').count()).toBe(1);
});

test('if the server cannot be reached, the "New link" panel shows a message and keeps its fields', async () => {
  const { backend } = dashboard;
  const page = await givenPage();
  await dashboard.signIn(page);
  await page.goto(`${backend.baseUrl}/overview`);
  await page.getByRole('link', { name: 'New link' }).click();
  await page.getByLabel('Address').fill('https://example.com/');
  await page.route('**/links', (route) => route.abort());
  await page.getByRole('button', { name: 'Create and copy' }).click();
  await page.getByText('The server can’t be reached. Try again.').waitFor();
  await page.unroute('**/links');
  await page.getByRole('button', { name: 'Create and copy' }).click();
  await page.getByText('Your link is ready').waitFor();
});

test('if the session has expired, creating a link in the panel opens the sign-in page', async () => {
  const { backend } = dashboard;
  const page = await givenPage();
  await dashboard.signIn(page);
  await page.goto(`${backend.baseUrl}/links`);
  await page.getByRole('link', { name: 'New link' }).click();
  await page.getByLabel('Address').fill('https://example.com/');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Create and copy' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test(`"Edit" and "QR code" open panels from the list and from the link's page`, async () => {
  const { backend } = dashboard;
  const page = await givenPage();
  await dashboard.signIn(page);
  await makeLink(page, backend.baseUrl, { url: 'http://127.0.0.1:1/', code: 'panels' });
  const more = page.getByLabel('More actions for panels');
  await more.click();
  await page.keyboard.press('Escape');
  expect(await page.getByRole('link', { name: 'Edit' }).isVisible()).toBe(false);
  expect(await more.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('dialog', { name: 'Edit link' }).waitFor();
  await page.waitForLoadState();
  expect([await focused(page), new URL(page.url()).hash]).toEqual(['url', '']);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'QR code' }).click();
  await page.getByRole('dialog', { name: 'QR code' }).getByRole('link', { name: 'PNG' }).waitFor();
});

test('the action bar stays in view and counts the selected links', async () => {
  const { backend } = dashboard;
  const page = await givenPage({ ...CLIPBOARD, viewport: { width: 390, height: 500 } });
  await dashboard.signIn(page);
  for (let at = 0; at < 9; at += 1)
    await makeLink(page, backend.baseUrl, { url: 'http://127.0.0.1:1/', code: `row-${at}` });
  const count = page.getByRole('status').filter({ hasText: 'selected' });
  expect(await page.getByRole('button', { name: 'Delete', exact: true }).isVisible()).toBe(false);
  await page.getByLabel('Select row-8').check();
  await page.getByLabel('Select row-0').check();
  expect(await count.innerText()).toBe('2 selected');
  for (const scrolled of [0, 10_000]) {
    await page.evaluate((top) => scrollTo(0, top), scrolled);
    const bar = await page.locator('.toolbar').boundingBox();
    expect(bar && bar.y > 0 && bar.y + bar.height <= 500, `scrolled by ${scrolled}`).toBe(true);
  }
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByText('Copied', { exact: true }).waitFor({ state: 'attached' });
  expect(await copied(page)).toBe(['row-8', 'row-0'].map((code) => `${backend.shortBaseUrl}/${code}`).join('\n'));
  await page.keyboard.press('Escape');
  expect(await page.locator('.toolbar').isVisible()).toBe(false);
  await page.getByLabel('Select all on this page').check();
  expect(await count.innerText()).toBe('9 selected');
  await page.getByLabel('Clear selection').click();
  expect(await page.locator('.tick :checked').count()).toBe(0);
});

test('without JavaScript, links can be selected and deleted', async () => {
  const { backend } = dashboard;
  const page = await givenPage({ javaScriptEnabled: false });
  await dashboard.signIn(page);
  for (const code of ['one', 'two', 'three'])
    await makeLink(page, backend.baseUrl, { url: 'http://127.0.0.1:1/', code });
  for (const code of ['one', 'two', 'three']) await page.getByLabel(`Select ${code}`).check();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('3 links were deleted. Their short URLs no longer work.').waitFor();
});
