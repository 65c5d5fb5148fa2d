import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { setupLink } from '../../backend/src/commands/account-commands.ts';
import { systemRandom } from '../../backend/src/domain/clock-and-random.ts';
import { findChromium } from '../browsers/find.ts';
import { startPictureService } from './demo-service-data.ts';

// Takes screenshots of every dashboard page in both themes and at phone width, and saves them in .cache/dashboard.
// The pages show a temporary service with links and a month of clicks. Two of the screenshots are also saved as
// docs/images/dashboard-light.png and dashboard-dark.png.

const NOW = Date.UTC(2026, 6, 30, 15);
const PASSWORD = 'correct horse battery';

const SHOTS = [
  ['light', 960],
  ['dark', 960],
  ['light', 390],
  ['dark', 320],
] as const;
const LINKS = [
  ['otters', 'https://en.wikipedia.org/wiki/Otter', 'Otter - Wikipedia', 31],
  ['csp', 'https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CSP', 'Content Security Policy (CSP)', 12],
  ['rfc9110', 'https://www.rfc-editor.org/rfc/rfc9110.html', 'RFC 9110: HTTP Semantics', 7],
  ['spring-sale', 'https://shop.example.com/spring?ref=newsletter&utm_medium=email', 'Spring sale', 54],
] as const;

const { service, store, stop } = await startPictureService(LINKS, { now: NOW });
const { baseUrl } = service.addresses;

const executablePath = findChromium();
if (!executablePath) throw new Error('Chromium was not found. Run `npm test` to install it.');
const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
const viewport = { width: 900, height: 860 };
const page = await browser.newPage({ viewport, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC' });
page.setDefaultTimeout(10_000);
const shots = resolve('.cache/dashboard');
rmSync(shots, { recursive: true, force: true });
mkdirSync(shots, { recursive: true });
let pictures = 0;

async function photograph(state: string, shown = page): Promise<void> {
  for (const [theme, width] of SHOTS) {
    await shown.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await shown.setViewportSize({ width, height: 760 });
    await shown.screenshot({ path: join(shots, `${state}-${theme}-${width}.png`), fullPage: true });
    pictures += 1;
  }
  await shown.setViewportSize(viewport);
}

async function press(name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
}

/** Opens a page, runs `act` to prepare the page, and takes its screenshots. */
async function state(name: string, path: string, act: () => Promise<unknown> = async () => {}): Promise<void> {
  await page.goto(baseUrl + path);
  await act();
  await photograph(name);
}

const welcome = (await setupLink({ store, random: systemRandom, baseUrl, now: NOW })) ?? '';
await state('not-set-up', '/sign-in');
await page.goto(welcome);
await photograph('welcome');
await page.getByLabel('Name').fill('Ada');
await press('Continue');
await photograph('welcome-refused');
for (const label of ['Password', 'Repeat the password']) await page.getByLabel(label, { exact: true }).fill(PASSWORD);
await press('Continue');
await page.waitForURL(`${baseUrl}/keys`);
await photograph('keys-none');
for (const [theme, path] of [
  ['light', '/links/otters'],
  ['dark', '/links?order=clicks'],
] as const) {
  await page.emulateMedia({ colorScheme: theme });
  await page.goto(baseUrl + path);
  await page.setViewportSize({ ...viewport, height: theme === 'light' ? 860 : 520 });
  await page.screenshot({ path: `docs/images/dashboard-${theme}.png` });
}

await state('key-made', '/keys', async () => {
  await page.getByLabel('Name').fill('Laptop');
  await press('Create API key');
});
await state('keys', '/keys');
await state('key', '/keys/1');
await state('key-revoking', '/keys/1/revoke');
await state('overview', '/overview');
await state('links', '/links');
await state('links-found', '/links?search=example');
await state('links-none-found', '/links?search=nothing');
await state('link', '/links/otters', () => page.locator('.chart summary').click());
await state('link-days', '/links/otters', () => page.getByRole('link', { name: 'Custom' }).click());
await state('link-days-refused', '/links/otters', async () => {
  await page.getByRole('link', { name: 'Custom' }).click();
  await page.getByLabel('First day (UTC)').fill('2020-01-01');
  await press('Show');
});
for (const name of ['Edit', 'QR code'])
  await state(`link-${name.split(' ')[0]?.toLowerCase()}`, '/links/otters', () =>
    page.getByRole('link', { name }).click(),
  );
await state('link-menu', '/links/otters', () => page.getByLabel('More actions').click());
await state('links-menu', '/links', () => page.getByLabel('More actions for csp').click());
await state('link-new-page', '/links/new');
await state('link-new', '/links', newLink);
await state('link-refused', '/links', async () => {
  await newLink();
  await page.getByLabel('Address').fill('nonsense');
  await press('Create and copy');
  await page.getByText('Please enter a valid URL').waitFor();
});
await state('link-made', '/links', async () => {
  await newLink();
  await page.getByLabel('Address').fill(`https://example.com/${'long/'.repeat(40)}`);
  await page.getByLabel('Short code').fill('a-code-of-some-length');
  await page
    .getByLabel('Title')
    .fill('A title that is so long that it has to be cut off somewhere, as titles of pages are');
  await press('Create and copy');
  await page.getByText('Your link is ready').waitFor();
});
await state('link-deleted', '/links/a-code-of-some-length', async () => {
  await page.getByLabel('More actions').click();
  await page.getByRole('button', { name: 'Delete' }).click();
});
await state('links-selected', '/links', async () => {
  for (const code of ['otters', 'csp']) await page.getByLabel(`Select ${code}`).check();
});
await state('links-deleted', '/links?search=csp', async () => {
  await page.getByRole('checkbox').first().check();
  await press('Delete');
});
await state('links-many', '/links', async () => {
  for (let at = 0; at < 60; at += 1) {
    const [url, title] = [`https://example.com/${at}`, `Page ${at}`];
    const link = { codes: [`page-${at}`], url, title, expiresAt: null, forwardQuery: null, tags: [] };
    await store.links.create(1, link, NOW - at * 3_600_000);
  }
  await page.reload();
  await page.getByLabel('Select all on this page').check();
});
await state('import', '/links/import');
await state('import-sources', '/links/import', () => page.getByText('Supported services').click());
await state('import-refused', '/links/import', () => check('kutt-postgres-copy.sql'));
await state('import-preview', '/links/import', () => check('kutt-api-links-postgres.json'));
await state('import-preview-domains', '/links/import', () => check('shortio-api-links.json'));
await state('import-preview-nothing', '/links/import', () => check('tinyurl-api-urls-available.json'));
await state('import-done', '/links/import', async () => {
  await check('kutt-api-links-postgres.json');
  await press('Import these links');
  await page.getByText('The import is finished').waitFor();
});
await state('import-again', '/links/import', async () => {
  await check('kutt-api-links-postgres.json');
  await press('Import these links');
  await page.getByText('You already imported this file').waitFor();
});

function newLink(): Promise<void> {
  return page.getByRole('link', { name: 'New link' }).click();
}

/** On the import page, selects a file that was exported from another link service, and opens the preview. */
async function check(sample: string): Promise<void> {
  await page.getByLabel('File', { exact: true }).setInputFiles(join('backend/test/fixtures/imports', sample));
  await press('Check file');
}

await state('account', '/account');
await state('account-invited', '/account', async () => {
  await page.getByLabel('Invite someone').fill('Grace');
  await press('Create invitation link');
});
await state('not-found', '/nothing');
await state('docs', '/docs', () => page.locator('.opblock').first().waitFor());
const shortUrl = (code: string) => `${service.addresses.short.replace('0.0.0.0', '127.0.0.1')}/${code}`;
const VISITED = { 'not-found': 'nothing', gone: 'a-code-of-some-length' };
for (const locale of ['en', 'de', 'ja', 'ar']) {
  const visitor = await browser.newPage({ locale });
  for (const [name, code] of Object.entries(VISITED)) {
    await visitor.goto(shortUrl(code));
    await photograph(`visitor-${name}-${locale}`, visitor);
  }
  await visitor.close();
}

await page.goto(`${baseUrl}/account`);
await press('Sign out');
await state('sign-in', '/sign-in');
await state('sign-in-refused', '/sign-in', async () => {
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Password').fill('wrong');
  await press('Sign in');
});
await browser.close();
await stop();
console.log(`${pictures} pictures in .cache/dashboard`);
