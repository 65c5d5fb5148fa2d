import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { addLink, givenPage, openDashboard } from './harness/dashboard.ts';
import { until } from './harness/until.ts';
import { givenSite } from './harness/world.ts';

// Tests what the dashboard's scripts add. The pages also work without scripts, as backend/test/dashboard/ shows.

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

/** Opens the "New link" panel over a page of the dashboard and fills in an address. */
async function givenNewLink(path: string): Promise<Page> {
  const page = await givenPage();
  await dashboard.signIn(page);
  await page.goto(dashboard.backend.baseUrl + path);
  await page.getByRole('link', { name: 'New link' }).click();
  await page.getByLabel('Address').fill('https://example.com/');
  return page;
}

test('if the server cannot be reached, the "New link" panel shows a message and keeps its fields', async () => {
  const page = await givenNewLink('/overview');
  await page.route('**/links', (route) => route.abort());
  await page.getByRole('button', { name: 'Create and copy' }).click();
  await page.getByText('The server can’t be reached. Try again.').waitFor();
  await page.unroute('**/links');
  await page.getByRole('button', { name: 'Create and copy' }).click();
  await page.getByText('Your link is ready').waitFor();
});

test('if the session has expired, creating a link in the panel opens the sign-in page', async () => {
  const page = await givenNewLink('/links');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Create and copy' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test(`"Edit" and "QR code" open panels from the list and from the link's page`, async () => {
  const { backend } = dashboard;
  const page = await givenPage();
  await dashboard.signIn(page);
  await addLink(page, backend.baseUrl, 'panels');
  await page.goto(`${backend.baseUrl}/links`);
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
  await page.getByRole('dialog', { name: 'QR code' }).getByRole('link', { name: 'Download as SVG' }).waitFor();
});

test('the action bar stays in view and counts the selected links', async () => {
  const { backend } = dashboard;
  const page = await givenPage({ ...CLIPBOARD, viewport: { width: 390, height: 500 } });
  await dashboard.signIn(page);
  for (let at = 0; at < 9; at += 1) await addLink(page, backend.baseUrl, `row-${at}`);
  await page.goto(`${backend.baseUrl}/links`);
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

test("editing a link changes its address and its expiry, which is in the browser's time zone", async () => {
  const { backend } = dashboard;
  const site = await givenSite();
  const page = await givenPage({ timezoneId: 'Asia/Kolkata', locale: 'en-GB' });
  await dashboard.signInAsOwner(page);
  await addLink(page, backend.baseUrl, 'plan', `${site.origin}/before`);
  await page.goto(`${backend.baseUrl}/links/plan`);
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Address').fill(`${site.origin}/after`);
  await page.getByLabel('Expires').fill('2020-01-01T12:00');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('This time has passed.').waitFor();
  expect(await page.locator(':focus').getAttribute('id')).toBe('expiresAt');
  expect(await page.getByLabel('Address').inputValue()).toBe(`${site.origin}/after`);
  await page.getByLabel('Expires').fill('2099-12-31T12:00');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The link was saved.').waitFor();
  await page.getByText('expires 31 Dec 2099, 12:00 GMT+5:30').waitFor();
  const answer = await fetch(`${backend.shortBaseUrl}/plan`, { redirect: 'manual' });
  expect(answer.headers.get('location')).toBe(`${site.origin}/after`);
  const headers = { Authorization: `Bearer ${backend.apiKey}` };
  const link = (await (await fetch(`${backend.baseUrl}/api/v1/urls/plan`, { headers })).json()) as object;
  expect(link).toMatchObject({ expiresAt: '2099-12-31T06:30:00.000Z' });
});

test('a bar of the chart shows its numbers on hover, on tap and by keyboard', async () => {
  const { backend } = dashboard;
  const page = await givenPage({ hasTouch: true });
  await dashboard.signIn(page);
  await addLink(page, backend.baseUrl, 'chart');
  const headers = { 'User-Agent': 'Mozilla/5.0 Firefox/153.0' };
  await fetch(`${backend.shortBaseUrl}/chart`, { redirect: 'manual', headers });
  await until('the click', async () => {
    await page.goto(`${backend.baseUrl}/links/chart`);
    return (await page.locator('.names').count()) > 0;
  });
  const tip = page.locator('.chart-tip');
  expect(await tip.isVisible()).toBe(false);
  const columns = page.locator('.chart-column');
  await columns.last().locator('.chart-hit').hover();
  expect(await tip.innerText()).toMatch(/^\d+ \w+ \d{4}, so far\n1 click, 1 visitor, 0 bots$/);
  await page.mouse.move(0, 0);
  expect(await tip.isVisible()).toBe(false);
  await columns.first().locator('.chart-hit').tap();
  expect(await tip.innerText()).toMatch(/\n0 clicks, 0 visitors, 0 bots$/);

  await page.getByRole('heading', { name: '1 click in 30 days' }).tap();
  expect(await tip.isVisible()).toBe(false);

  const slider = page.getByRole('slider', { name: 'Clicks by day' });
  await slider.focus();
  await page.keyboard.press('End');
  expect(await slider.getAttribute('aria-valuetext')).toMatch(/: 1 click, 1 visitor, 0 bots$/);
  await page.keyboard.press('ArrowLeft');
  expect(await slider.getAttribute('aria-valuetext')).toMatch(/: 0 clicks, 0 visitors, 0 bots$/);
  expect(await tip.isVisible()).toBe(true);
  await page.keyboard.press('Tab');
  expect(await tip.isVisible()).toBe(false);
});
