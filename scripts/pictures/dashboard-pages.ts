import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { setupLink } from '../../backend/src/commands/manage.ts';
import { readConfig } from '../../backend/src/config/environment.ts';
import { dayOf, startOf } from '../../backend/src/domain/analytics/day-counts.ts';
import { systemRandom } from '../../backend/src/domain/clock-and-random.ts';
import { startService } from '../../backend/src/server/start-service.ts';
import { openStore, type Store } from '../../backend/src/store/open-store.ts';
import { requireChromium } from '../browsers/find.ts';

// Takes screenshots of every dashboard page in both themes and at phone width, and saves them in .cache/dashboard.
// The pages show a temporary service with links and a month of clicks. Also creates docs/images/dashboard-light.png
// and dashboard-dark.png.

const NOW = Date.UTC(2026, 6, 30, 15);
const PASSWORD = 'correct horse battery';

/** File for the import, exported from another link service. */
const EXPORT = 'backend/test/fixtures/imports/kutt-api-links-postgres.json';
const SHOTS = [
  ['light', 960],
  ['dark', 960],
  ['light', 390],
  ['dark', 320],
] as const;
/** Short code, URL and title of each link, and the number of clicks on its busiest day. */
const LINKS = [
  ['otters', 'https://en.wikipedia.org/wiki/Otter', 'Otter - Wikipedia', 31],
  ['csp', 'https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CSP', 'Content Security Policy (CSP)', 12],
  ['rfc9110', 'https://www.rfc-editor.org/rfc/rfc9110.html', 'RFC 9110: HTTP Semantics', 7],
  ['spring-sale', 'https://shop.example.com/spring?ref=newsletter&utm_medium=email', 'Spring sale', 54],
] as const;

const NAMES = {
  referrers: ['news.example.org', '', 'search.example', 'social.example'],
  browsers: ['Firefox', 'Chrome', 'Safari', 'Edge'],
  systems: ['Windows', 'Android', 'iOS', 'Linux'],
  devices: ['desktop', 'mobile', 'tablet'],
  countries: ['DE', 'FR', 'US', 'JP'],
};

/** The first names are more frequent than the last ones. */
const oneOf = (names: string[], at: number) => names[Math.floor((((at * 7) % 10) / 10) ** 2 * names.length)] as string;

const folder = mkdtempSync(join(tmpdir(), 'terse-pictures-'));
const config = readConfig({
  TERSE_LISTEN: '127.0.0.1:0',
  TERSE_SHORT_LISTEN: '127.0.0.1:0',
  TERSE_SHORT_BASE_URL: 'https://go.example.com',
  TERSE_DATABASE: `file:${join(folder, 'terse.db')}`,
});
const store = await openStore(config.database, NOW);
const clock = () => NOW;
const service = await startService({ config, store, clock, random: systemRandom, log: () => {}, version: '0.1.0' });
const { baseUrl } = service.addresses;
for (const [at, [code, url, title, height]] of LINKS.entries()) {
  const createdAt = NOW - (LINKS.length + 26 - at) * 86_400_000;
  const draft = { codes: [code], url, title, expiresAt: null, forwardQuery: null, tags: [] };
  const made = await store.links.create(1, draft, createdAt);
  if (made) await addMonth(store, made.id, height);
}
await service.clicks.settle();

const browser = await chromium.launch({ executablePath: requireChromium(), chromiumSandbox: false });
const viewport = { width: 900, height: 860 };
const page = await browser.newPage({ viewport, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC' });
page.setDefaultTimeout(10_000);
const shots = resolve('.cache/dashboard');
rmSync(shots, { recursive: true, force: true });
mkdirSync(shots, { recursive: true });
let pictures = 0;

async function photograph(name: string): Promise<void> {
  for (const [theme, width] of SHOTS) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 760 });
    await page.screenshot({ path: join(shots, `${name}-${theme}-${width}.png`), fullPage: true });
    pictures += 1;
  }
  await page.setViewportSize(viewport);
}

/** Opens each page and takes its screenshots. The name of a picture is the path of its page. */
async function photographPages(...paths: string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(baseUrl + path);
    await photograph(path.slice(1).replaceAll(/\W+/g, '-'));
  }
}

await photographPages('/sign-in');
const welcome = (await setupLink({ store, random: systemRandom, baseUrl, now: NOW })) ?? '';
await page.goto(welcome);
await photograph('welcome');
await page.getByLabel('Name').fill('Ada');
for (const label of ['Password', 'Repeat the password']) await page.getByLabel(label, { exact: true }).fill(PASSWORD);
await page.getByRole('button', { name: 'Continue' }).click();
await page.waitForURL(`${baseUrl}/keys`);
await page.goto(`${baseUrl}/links/otters`);
for (const theme of ['light', 'dark'] as const) {
  await page.emulateMedia({ colorScheme: theme });
  await page.screenshot({ path: `docs/images/dashboard-${theme}.png` });
}
await page.goto(`${baseUrl}/keys`);
await page.getByLabel('Name').fill('Laptop');
await page.getByRole('button', { name: 'Create API key' }).click();
await photograph('key-created');
await photographPages('/keys', '/keys/1#revoke', '/keys/1', '/overview', '/account', '/not-found');
await photographPages('/links', '/links?search=nothing', '/links/new', '/links/otters', '/links/import');
await page.getByLabel('File', { exact: true }).setInputFiles(EXPORT);
await page.getByRole('button', { name: 'Check file' }).click();
await page.getByRole('button', { name: /^Import \d/ }).waitFor();
await photograph('import-preview');
await browser.close();
await service.stop();
rmSync(folder, { recursive: true });
console.log(`${pictures} pictures in .cache/dashboard`);

/**
 * Stores the clicks of thirty days, with more clicks on workdays. The clicks are not random, so that the screenshots
 * stay the same.
 */
async function addMonth({ clicks }: Store, link: number, height: number): Promise<void> {
  for (let ago = 0; ago < 30; ago += 1) {
    const day = dayOf(NOW) - ago;
    const weekend = [2, 3].includes(day % 7) ? 0.35 : 1;
    const people = Math.round(height * weekend * (1 + 0.6 * Math.sin(ago / 3)) + ((ago * 7) % 5));
    await clicks.salt(day, new Uint8Array(16));
    await clicks.add({
      process: `pictures ${link} ${day}`,
      number: 1,
      clicks: Array.from({ length: people + (ago % 4) }, (_, at) => ({
        link,
        at: startOf(day, 12),
        visitor: Math.floor(at * 0.8),
        bot: at >= people,
        referrer: oneOf(NAMES.referrers, at),
        browser: oneOf(NAMES.browsers, at),
        system: oneOf(NAMES.systems, at),
        device: oneOf(NAMES.devices, at),
        country: oneOf(NAMES.countries, at),
      })),
    });
  }
}
