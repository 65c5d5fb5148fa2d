import { parseConnectionLink } from '@terse/contract';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { checkLooks, givenPage, makeLink, PASSWORD, setUp } from './harness/dashboard.ts';
import { connect, resultIn, shortenPage } from './harness/person.ts';
import { until } from './harness/until.ts';
import { givenBackend, givenChromium, givenSite, HOST } from './harness/world.ts';

/** The public must be kept out of these tests, so links lead to a site on this machine. */
const LOOPBACK = { TERSE_ALLOW_PRIVATE_TARGETS: 'true' };

/** From the setup link to the click in the chart: everything a new user does. */
async function firstSteps(page: Page): Promise<void> {
  const [backend, site] = await Promise.all([givenBackend(LOOPBACK), givenSite()]);
  await setUp(page, backend.setupLink());

  await page.getByLabel('Name').fill('My laptop');
  await page.getByRole('button', { name: 'Create key' }).click();
  const connectionLink = await page.locator('code', { hasText: '#key=' }).innerText();
  const { baseUrl, apiKey } = parseConnectionLink(connectionLink) ?? { baseUrl: '', apiKey: '' };
  expect(baseUrl).toBe(backend.baseUrl);
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ url: `${site.origin}/by-key` });
  expect((await fetch(`${baseUrl}/api/shorten`, { method: 'POST', headers, body })).status).toBe(200);
  await page.getByRole('link', { name: 'I have saved it' }).click();
  await page.getByText('1 of 20 used today').waitFor();

  await makeLink(page, baseUrl, { url: `${site.origin}/story`, code: 'story', title: 'A story' });
  expect(await page.locator('.link').count()).toBe(2);
  await page.getByRole('status').getByRole('link').click();
  await page.waitForURL(`${site.origin}/story`);

  await until('the click in the list', async () => {
    await page.goto(`${baseUrl}/links?order=clicks`);
    return (await page.locator('.link').first().innerText()).includes('1 click');
  });
  await page.locator('.link a.short').first().click();
  await page.getByRole('heading', { name: 'Clicks' }).waitFor();
  const bars = await page
    .locator('.chart-bar')
    .evaluateAll((found) => found.map((bar) => Number(bar.getAttribute('height'))));
  expect(bars.filter((height) => height > 0)).toHaveLength(1);
  expect(bars.at(-1)).toBeGreaterThan(0);
  expect(await page.getByRole('img', { name: 'Clicks by day, 30 days' }).count()).toBe(1);
  expect(await page.locator('.names', { hasText: 'Browsers' }).innerText()).toMatch(/Chrom/);

  await page.getByRole('link', { name: '24 hours' }).click();
  await page.getByRole('img', { name: 'Clicks by hour, 24 hours' }).waitFor();

  await page.getByRole('link', { name: 'Choose days' }).click();
  const today = await page.getByLabel('Last day (UTC)').inputValue();
  await page.getByLabel('First day (UTC)').fill('9999-12-31');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('The last day is before the first day.').waitFor();
  await page.getByLabel('First day (UTC)').fill(today);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('img', { name: /^Clicks by hour, \d+ \w+ \d{4} / }).waitFor();
  expect(await page.locator('.facts').innerText()).toMatch(/^Clicks\s1\s/);
}

test('a new user gets from the setup link to the click in the chart', async () => {
  await firstSteps(await givenPage());
});

test('and does so without script', async () => {
  await firstSteps(await givenPage({ javaScriptEnabled: false }));
});

test('the extension is connected by the link that the dashboard shows, and its links are there', async () => {
  const [backend, site, browser] = await Promise.all([givenBackend(LOOPBACK), givenSite(), givenChromium()]);
  const page = await browser.context.newPage();
  await setUp(page, backend.setupLink());
  await page.getByLabel('Name').fill('This browser');
  await page.getByRole('button', { name: 'Create key' }).click();
  await connect(browser, await page.locator('code', { hasText: '#key=' }).innerText());
  const url = `http://${HOST}:${site.port}/river?title=How+to+read+a+river`;
  const shortUrl = await resultIn(await shortenPage(browser, url));
  await page.goto(`${backend.baseUrl}/links`);
  const row = page.locator('.link');
  expect(await row.locator('.short').innerText()).toBe(shortUrl);
  expect(await row.locator('.link-url').innerText()).toBe(url);
});

test.each([
  [true, 'Asia/Kolkata', /^Created \d+ \w+ \d{4}, \d\d:\d\d GMT\+5:30$/],
  [false, 'Asia/Kolkata', /^Created \d+ \w+ \d{4}, \d\d:\d\d UTC$/],
])('a time names the zone it is told in (script: %s)', async (javaScriptEnabled, timezoneId, form) => {
  const backend = await givenBackend(LOOPBACK);
  const page = await givenPage({ javaScriptEnabled, timezoneId, locale: 'en-GB' });
  await setUp(page, backend.setupLink());
  await makeLink(page, backend.baseUrl, { url: 'http://127.0.0.1:1/', code: 'when' });
  await page.goto(`${backend.baseUrl}/links/when`);
  expect(await page.getByText(/^Created/).innerText()).toMatch(form);
});

test('an expiry is typed in the zone of the browser, and a link is edited', async () => {
  const [backend, site] = await Promise.all([givenBackend(LOOPBACK), givenSite()]);
  const page = await givenPage({ timezoneId: 'Asia/Kolkata', locale: 'en-GB' });
  await setUp(page, backend.setupLink());
  await makeLink(page, backend.baseUrl, { url: `${site.origin}/before`, code: 'plan' });
  await page.goto(`${backend.baseUrl}/links/plan`);
  await page.getByLabel('Long URL').fill(`${site.origin}/after`);
  await page.getByLabel('Expires').fill('2020-01-01T12:00');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('This time has passed.').waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('expiresAt');
  expect(await page.getByLabel('Long URL').inputValue()).toBe(`${site.origin}/after`);
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

test.each([true, false])(
  'an address without a scheme is offered with https (script: %s)',
  async (javaScriptEnabled) => {
    const backend = await givenBackend();
    const page = await givenPage({ javaScriptEnabled });
    await setUp(page, backend.setupLink());
    await page.goto(`${backend.baseUrl}/links/new`);
    await page.getByLabel('Long URL').fill('example.com/page');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('We added https://').waitFor();
    expect(await page.locator(':focus').getAttribute('id')).toBe('url');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('Your link is ready').waitFor();
    expect(await page.locator('.link-url').innerText()).toBe('https://example.com/page');
  },
);

test('a bar shows its figures to the mouse, to a finger and to the keyboard', async () => {
  const backend = await givenBackend(LOOPBACK);
  const page = await givenPage({ hasTouch: true });
  await setUp(page, backend.setupLink());
  await makeLink(page, backend.baseUrl, { url: 'http://127.0.0.1:1/', code: 'chart' });
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
  expect(await tip.innerText()).toMatch(/^\d+ \w+ \d{4}\n1 click, 1 visitor, 0 bots$/);
  await page.mouse.move(0, 0);
  expect(await tip.isVisible()).toBe(false);
  await columns.first().locator('.chart-hit').tap();
  expect(await tip.innerText()).toMatch(/\n0 clicks, 0 visitors, 0 bots$/);

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

test('the figures of an import agree at every moment', async () => {
  const backend = await givenBackend();
  const page = await givenPage();
  await setUp(page, backend.setupLink());
  const rows = Array.from({ length: 60_000 }, (_, at) => (at % 2 ? 'nonsense' : `https://example.com/${at}`));
  await page.goto(`${backend.baseUrl}/links/import`);
  const buffer = Buffer.from(`url\n${rows.join('\n')}\n`);
  await page.getByLabel('CSV file').setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Import' }).click();
  const read =
    'Object.fromEntries([...document.querySelectorAll("[data-import-figure]")].map((shown) => ' +
    '[shown.dataset.importFigure, Number(shown.textContent.replaceAll(",", ""))]))';
  const seen = new Set<number>();
  await until('the end of the import', async () => {
    const {
      made = 0,
      unchanged = 0,
      refused = 0,
      handled = 0,
    } = (await page.evaluate(read).catch(() => ({}))) as Record<string, number>;
    expect(made + unchanged + refused).toBe(handled);
    seen.add(handled);
    return handled === 60_000;
  });
  expect(seen.size).toBeGreaterThan(2);
});

test('signing in, out, and changing the password without script', async () => {
  const backend = await givenBackend();
  const page = await givenPage({ javaScriptEnabled: false });
  await setUp(page, backend.setupLink());
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.goto(`${backend.baseUrl}/account`);
  await page.getByLabel('Name').fill('ada');
  await page.getByLabel('Password').fill('wrong password 1');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The name or the password is wrong.').waitFor();
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('New password', { exact: true }).fill(`${PASSWORD} 2`);
  await page.getByLabel('Repeat the new password').fill(`${PASSWORD} 2`);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Your password was changed').waitFor();
});

test.each([true, false])(
  'a deletion is undone on the page that tells of it (script: %s)',
  async (javaScriptEnabled) => {
    const backend = await givenBackend(LOOPBACK);
    const page = await givenPage({ javaScriptEnabled });
    await setUp(page, backend.setupLink());
    await makeLink(page, backend.baseUrl, { url: 'http://127.0.0.1:1/', code: 'oops' });
    const status = async () => (await fetch(`${backend.shortBaseUrl}/oops`, { redirect: 'manual' })).status;
    await page.getByRole('button', { name: 'Delete oops' }).click();
    await page.getByText('oops is deleted').waitFor();
    expect(await status()).toBe(410);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('oops is restored').waitFor();
    expect(await status()).toBe(302);
    await page.getByRole('button', { name: 'Delete oops' }).click();
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.goto(`${backend.baseUrl}/links`);
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  },
);

test.each([true, false])('an import shows how far it is, and its problems (script: %s)', async (javaScriptEnabled) => {
  const backend = await givenBackend();
  const page = await givenPage({ javaScriptEnabled });
  await setUp(page, backend.setupLink());
  const rows = Array.from({ length: 20_000 }, (_, at) => `bulk-${at},https://example.com/${at}`);
  const file = `shortCode,url\n${rows.join('\n')}\nbad,nonsense\n`;
  await page.goto(`${backend.baseUrl}/links/import`);
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
  await page.getByRole('button', { name: 'Import' }).click();
  expect(await page.locator('.facts').innerText()).toContain('20,001');
  await page.getByText('The import is finished').waitFor();
  expect(await page.locator('.facts').innerText()).toContain('20,000');
  await page.getByRole('cell', { name: 'Please enter a valid URL.' }).waitFor();
});

test('a connection link that was opened says what it is for, and its key is not sent', async () => {
  const backend = await givenBackend();
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

test('hostile titles, addresses and referrers run nowhere', async () => {
  const backend = await givenBackend();
  const page = await givenPage();
  await setUp(page, backend.setupLink());
  const title = `"><script>document.title='owned'</script><img src=x onerror="document.title='owned'">`;
  await makeLink(page, backend.baseUrl, { url: `https://evil.example/"><script>`, code: 'evil', title });
  await fetch(`${backend.shortBaseUrl}/evil`, {
    redirect: 'manual',
    headers: { Referer: 'https://"><script>.example/' },
  });
  for (const path of ['/links', '/links/evil', '/links?made=evil']) {
    await page.goto(backend.baseUrl + path);
    expect(await page.getByText(title).count(), path).toBeGreaterThan(0);
    expect(await page.title()).not.toBe('owned');
    expect(await page.locator('img, script:not([src]), a[href^="javascript:"]').count()).toBe(0);
  }
});

test('every page holds before axe, in light and dark, and fits a small phone', async () => {
  const backend = await givenBackend(LOOPBACK);
  // The policy of the pages keeps a test's own script out, too.
  const page = await givenPage({ bypassCSP: true });
  const setupLink = backend.setupLink();
  await page.goto(`${backend.baseUrl}/sign-in`);
  await checkLooks(page);
  await page.goto(setupLink);
  await checkLooks(page);
  await page.getByLabel('Name').fill('Ada');
  await page.getByRole('button', { name: 'Continue' }).click();
  await checkLooks(page);
  await setUp(page, setupLink);
  await checkLooks(page);
  await page.goto(`${backend.baseUrl}/links`);
  await checkLooks(page);
  await page.goto(`${backend.baseUrl}/keys`);
  await page.getByLabel('Name').fill('Laptop '.repeat(14).trim());
  await page.getByRole('button', { name: 'Create key' }).click();
  await checkLooks(page);
  await makeLink(page, backend.baseUrl, {
    url: `https://example.com/${'long/'.repeat(60)}`,
    code: 'a'.repeat(64),
    title: 'w'.repeat(300),
  });
  await checkLooks(page);
  await fetch(`${backend.shortBaseUrl}/${'a'.repeat(64)}`, {
    redirect: 'manual',
    headers: { 'User-Agent': 'Mozilla/5.0 Firefox/153.0' },
  });
  await until('the click', async () => {
    await page.goto(`${backend.baseUrl}/links/${'a'.repeat(64)}`);
    return (await page.locator('.names').count()) > 0;
  });
  await page.locator('.chart summary').click();
  await checkLooks(page);
  await page.getByRole('link', { name: 'Choose days' }).click();
  await checkLooks(page);
  await page.getByLabel('First day (UTC)').fill('2020-01-01');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('You can see at most 366 days').waitFor();
  await checkLooks(page);
  await page.getByRole('link', { name: '30 days' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await checkLooks(page);
  for (const path of [
    '/links?search=nothing',
    '/links/new',
    '/links/import',
    '/keys',
    '/keys/2',
    '/keys/2/revoke',
    '/account',
    '/nothing',
  ]) {
    await page.goto(backend.baseUrl + path);
    await checkLooks(page);
  }
  await page.goto(`${backend.baseUrl}/links/new`);
  await page.getByRole('button', { name: 'Create link' }).click();
  await checkLooks(page);
  await page.goto(`${backend.baseUrl}/account`);
  await page.getByLabel('Invite somebody').fill('Grace');
  await page.getByRole('button', { name: 'Create invitation link' }).click();
  await checkLooks(page);
  const invitation = await page.locator('.secret code').innerText();
  await page.goto(`${backend.baseUrl}/links/import`);
  const buffer = Buffer.from(`url\nnonsense\nhttps://example.com/${'x'.repeat(200)}\n`);
  const file = { name: `${'long-name-'.repeat(9)}.csv`, mimeType: 'text/csv', buffer };
  await page.getByLabel('CSV file').setInputFiles(file);
  await page.getByRole('button', { name: 'Import' }).click();
  await page.getByText('The import is finished').waitFor();
  await checkLooks(page);
  await page.getByRole('link', { name: 'Import another file' }).click();
  await page.getByLabel('CSV file').setInputFiles(file);
  await page.getByRole('button', { name: 'Import' }).click();
  await page.getByText('You imported this file').waitFor();
  await checkLooks(page);
  await page.getByLabel('CSV file').setInputFiles(file);
  await page.getByLabel('Import this file again').check();
  await page.getByRole('button', { name: 'Import' }).click();
  await page.getByText('The import is finished').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await setUp(page, invitation, 'Grace');
  await page.goto(`${backend.baseUrl}/account`);
  await checkLooks(page);
  await page.getByRole('link', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByText('This is not your password.').waitFor();
  await checkLooks(page);
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByText('Your account is deleted').first().waitFor();
  await checkLooks(page);
});
