import { test } from 'vitest';
import { checkLooks, givenPage, LOOPBACK, makeLink, setUp } from './harness/dashboard.ts';
import { until } from './harness/until.ts';
import { givenBackend } from './harness/world.ts';

// Checks each of about twenty pages four times, which takes minutes on a busy machine.
test('every dashboard page passes axe in the light and dark theme, and fits a small phone', {
  timeout: 300_000,
}, async () => {
  const backend = await givenBackend(LOOPBACK);
  // The pages' content security policy would block the test's script as well.
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
  await page.goto(`${backend.baseUrl}/keys`);
  await page.getByLabel('Name').fill('Laptop '.repeat(14).trim());
  await page.getByRole('button', { name: 'Create API key' }).click();
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
  for (const panel of ['Edit', 'QR code']) {
    await page.getByRole('link', { name: panel }).click();
    await checkLooks(page);
    await page.getByRole('button', { name: 'Close' }).click();
  }
  await page.getByLabel('More actions').click();
  await checkLooks(page);
  await page.getByRole('button', { name: 'Delete' }).click();
  await checkLooks(page);
  for (const path of [
    '/overview',
    '/links?search=nothing',
    '/links/new',
    `/links/new?title=${'w'.repeat(100)}&text=Look:%20https://example.com/${'long/'.repeat(60)}`,
    '/links/new?text=nothing',
    '/links/import',
    '/keys',
    '/keys/2#revoke',
    '/keys/2',
    '/account',
    '/nothing',
  ]) {
    await page.goto(backend.baseUrl + path);
    await checkLooks(page);
  }
  await page.goto(`${backend.baseUrl}/links/new`);
  await page.getByRole('button', { name: 'Create link' }).click();
  await checkLooks(page);
  await page.setExtraHTTPHeaders({ 'Accept-Language': 'ar' });
  await page.goto(`${backend.shortBaseUrl}/nothing`);
  await page.locator('html[lang="ar"][dir="rtl"]').waitFor();
  await checkLooks(page);
  await page.setExtraHTTPHeaders({});
  await makeLink(page, backend.baseUrl, { url: 'https://example.com/', code: 'again' });
  await page.goto(`${backend.baseUrl}/links`);
  await page.getByRole('link', { name: 'New link' }).click();
  await page.getByRole('button', { name: 'Create and copy' }).click();
  await page.getByText('Please enter a valid URL.').waitFor();
  await checkLooks(page);
  await page.keyboard.press('Escape');
  await page.getByRole('checkbox', { name: 'Select again' }).check();
  await checkLooks(page);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('1 link was deleted').waitFor();
  await checkLooks(page);
  await page.goto(`${backend.baseUrl}/account`);
  await page.getByLabel('Invite someone').fill('Grace');
  await page.getByRole('button', { name: 'Create invitation link' }).click();
  await checkLooks(page);
  const invitation = await page.locator('.secret code').innerText();
  await page.goto(`${backend.baseUrl}/links/import`);
  const buffer = Buffer.from(`url\nnonsense\nhttps://example.com/${'x'.repeat(200)}\n`);
  const file = { name: `${'long-name-'.repeat(9)}.csv`, mimeType: 'text/csv', buffer };
  await page.getByLabel('File', { exact: true }).setInputFiles(file);
  await page.getByRole('button', { name: 'Check file' }).click();
  await checkLooks(page);
  await page.getByRole('button', { name: 'Import' }).click();
  await page.getByText('The import is finished').waitFor();
  await checkLooks(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await setUp(page, invitation, 'Grace');
  await page.goto(`${backend.baseUrl}/account`);
  await checkLooks(page);
  await page.getByRole('link', { name: 'Delete…' }).click();
  await checkLooks(page);
});
