import { parseConnectionLink } from '@terse/contract';
import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import { givenPage, LOOPBACK, makeLink, openDashboard, setUp } from './harness/dashboard.ts';
import { resultIn } from './harness/person.ts';
import { until } from './harness/until.ts';
import { connect, givenBackend, givenChromium, givenSite, HOST } from './harness/world.ts';

const dashboard = openDashboard();

/** Performs all steps of a new user, from the setup link to the first click in the link's chart. */
async function firstSteps(options: BrowserContextOptions = {}): Promise<void> {
  const [backend, site] = await Promise.all([givenBackend(LOOPBACK), givenSite()]);
  // At the end, the page closes before the backend: otherwise, it could still be loading from a dead backend.
  const page = await givenPage(options);
  await setUp(page, backend.setupLink());

  await page.getByLabel('Name').fill('My laptop');
  await page.getByRole('button', { name: 'Create API key' }).click();
  const connectionLink = await page.locator('code', { hasText: '#key=' }).innerText();
  const { baseUrl, apiKey } = parseConnectionLink(connectionLink) ?? { baseUrl: '', apiKey: '' };
  expect(baseUrl).toBe(backend.baseUrl);
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ url: `${site.origin}/by-key` });
  expect((await fetch(`${baseUrl}/api/shorten`, { method: 'POST', headers, body })).status).toBe(200);
  await page.getByRole('link', { name: 'Done' }).click();
  await page.getByText('19 of 20 links left today').waitFor();

  await makeLink(page, baseUrl, { url: `${site.origin}/story`, code: 'story', title: 'A story' });
  expect(await page.locator('.link').count()).toBe(2);
  await page.getByRole('status').getByRole('link').click();
  await page.waitForURL(`${site.origin}/story`);

  await until('the click in the list', async () => {
    await page.goto(`${baseUrl}/links?order=clicks`);
    return (await page.locator('.link').first().innerText()).includes('1 click');
  });
  await page.locator('.link-name').first().click();
  await page.getByRole('heading', { name: '1 click in 30 days' }).waitFor();
  const bars = await page
    .locator('.chart-bar')
    .evaluateAll((found) => found.map((bar) => Number(bar.getAttribute('height'))));
  expect(bars.filter((height) => height > 0)).toHaveLength(1);
  expect(bars.at(-1)).toBeGreaterThan(0);
  expect(await page.getByRole('img', { name: 'Clicks by day, 30 days' }).count()).toBe(1);
  expect(await page.locator('.names', { hasText: 'Browsers' }).innerText()).toMatch(/Chrom/);

  await page.getByRole('link', { name: '24 hours' }).click();
  await page.getByRole('img', { name: 'Clicks by hour, 24 hours' }).waitFor();
}

test('a new user gets from the setup link to the first click in the chart', () => firstSteps());

test('a new user gets from the setup link to the first click in the chart without JavaScript', async () => {
  await firstSteps({ javaScriptEnabled: false });
});

test("the dashboard's connection link connects the extension, and the dashboard lists the extension's links", async () => {
  const [backend, site, browser] = await Promise.all([givenBackend(LOOPBACK), givenSite(), givenChromium()]);
  const page = await browser.openTab('about:blank');
  await setUp(page, backend.setupLink());
  await page.getByLabel('Name').fill('This browser');
  await page.getByRole('button', { name: 'Create API key' }).click();
  await connect(browser, await page.locator('code', { hasText: '#key=' }).innerText());
  const url = `http://${HOST}:${site.port}/river?title=How+to+read+a+river`;
  const popup = await browser.openPopup(await browser.openTab(url));
  await popup.getByRole('button', { name: 'Shorten this page' }).click();
  const shortUrl = await resultIn(popup);
  await page.goto(`${backend.baseUrl}/links`);
  const row = page.locator('.link');
  expect(await row.locator('.link-short').innerText()).toBe(shortUrl);
  expect(await row.locator('.link-name').innerText()).toBe(url.replace('http://', ''));
});

test('an opened connection link shows an explanation, and its API key is not sent', async () => {
  const { backend } = dashboard;
  const page = await givenPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  const sent: string[] = [];
  page.on('request', (request) =>
    sent.push(`${request.url()} ${request.postData() ?? ''} ${JSON.stringify(request.headers())}`),
  );
  await page.goto(backend.connectionLink);
  await page.getByRole('heading', { name: 'This is a connection link' }).waitFor();
  expect(page.url()).toBe(`${backend.baseUrl}/sign-in`);
  await page.getByRole('button', { name: 'Copy the connection link' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(backend.connectionLink);
  expect(sent.length).toBeGreaterThan(1);
  expect(sent.filter((request) => request.includes(backend.apiKey))).toEqual([]);
});
