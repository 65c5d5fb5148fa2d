import { expect, test } from 'vitest';
import { givenPage, makeLink, openDashboard } from './harness/dashboard.ts';
import { until } from './harness/until.ts';
import { givenSite } from './harness/world.ts';

const dashboard = openDashboard();

test.each([
  [true, 'Asia/Kolkata', /^Created \d+ \w+ \d{4}, \d\d:\d\d GMT\+5:30$/],
  [false, 'Asia/Kolkata', /^Created \d+ \w+ \d{4}, \d\d:\d\d UTC$/],
])('a time is shown with its time zone (JavaScript: %s)', async (javaScriptEnabled, timezoneId, form) => {
  const { backend } = dashboard;
  const page = await givenPage({ javaScriptEnabled, timezoneId, locale: 'en-GB' });
  await dashboard.signIn(page);
  const code = `when-${javaScriptEnabled}`;
  await makeLink(page, backend.baseUrl, { url: 'http://127.0.0.1:1/', code });
  await page.goto(`${backend.baseUrl}/links/${code}`);
  expect(await page.getByText(/^Created/).innerText()).toMatch(form);
});

test("editing a link changes its address and its expiry, which is in the browser's time zone", async () => {
  const { backend } = dashboard;
  const site = await givenSite();
  const page = await givenPage({ timezoneId: 'Asia/Kolkata', locale: 'en-GB' });
  await dashboard.signInAsOwner(page);
  await makeLink(page, backend.baseUrl, { url: `${site.origin}/before`, code: 'plan' });
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

test.each([true, false])(
  'an address without a scheme gets https after the user confirms it (JavaScript: %s)',
  async (javaScriptEnabled) => {
    const { backend } = dashboard;
    const page = await givenPage({ javaScriptEnabled });
    await dashboard.signIn(page);
    await page.goto(`${backend.baseUrl}/links/new`);
    await page.getByLabel('Address').fill('example.com/page');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('We added https://').waitFor();
    expect(await page.locator(':focus').getAttribute('id')).toBe('url');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('Your link is ready').waitFor();
    expect(await page.locator('.link-name').innerText()).toBe('example.com/page');
  },
);

test('a bar of the chart shows its numbers on hover, on tap and by keyboard', async () => {
  const { backend } = dashboard;
  const page = await givenPage({ hasTouch: true });
  await dashboard.signIn(page);
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

test.each([true, false])(
  'a deletion can be undone on the page that reports it, but not later (JavaScript: %s)',
  async (javaScriptEnabled) => {
    const { backend } = dashboard;
    const page = await givenPage({ javaScriptEnabled });
    await dashboard.signIn(page);
    const code = `oops-${javaScriptEnabled}`;
    await makeLink(page, backend.baseUrl, { url: 'http://127.0.0.1:1/', code });
    const status = async () => (await fetch(`${backend.shortBaseUrl}/${code}`, { redirect: 'manual' })).status;
    const remove = async () => {
      await page.getByLabel(`More actions for ${code}`).click();
      await page.getByRole('button', { name: 'Delete The short URL stops working' }).click();
    };
    await remove();
    await page.getByText('1 link was deleted').waitFor();
    expect(await status()).toBe(410);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 link was restored').waitFor();
    expect(await status()).toBe(302);
    await remove();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.goto(`${backend.baseUrl}/links`);
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  },
);

test.each([true, false])('an import shows its progress and its errors (JavaScript: %s)', async (javaScriptEnabled) => {
  const { backend } = dashboard;
  const page = await givenPage({ javaScriptEnabled });
  await dashboard.signInAsOwner(page);
  const rows = Array.from({ length: 5_000 }, (_, at) => `bulk-${javaScriptEnabled}-${at},https://example.com/${at}`);
  const file = `shortCode,url\n${rows.join('\n')}\nbad,nonsense\n`;
  await page.goto(`${backend.baseUrl}/links/import`);
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
  await page.getByRole('button', { name: 'Check file' }).click();
  await page.getByRole('button', { name: 'Import' }).click();
  expect(await page.locator('.facts').innerText()).toContain('5,001');
  await page.getByText('The import is finished').waitFor();
  expect(await page.locator('.facts').innerText()).toContain('5,000');
  await page.getByRole('cell', { name: 'Please enter a valid URL.' }).waitFor();
});
