// Takes the pictures of the dashboard that the documentation shows: a service with links and a month of clicks, made for
// the purpose in a folder that is removed again. Writes docs/images/dashboard-light.png and dashboard-dark.png.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { setupLink } from '../backend/src/commands/accounts.ts';
import { readConfig } from '../backend/src/config/config.ts';
import { emptyDay, hourIn, KINDS } from '../backend/src/domain/clicks/counts.ts';
import { dayOf } from '../backend/src/domain/clicks/days.ts';
import { systemRandom } from '../backend/src/domain/random.ts';
import { startService } from '../backend/src/http/server.ts';
import { openStore } from '../backend/src/store/open.ts';
import { findChromium } from './browsers/find.ts';

const NOW = Date.UTC(2026, 6, 30, 15);
const PASSWORD = 'correct horse battery';
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

const folder = mkdtempSync(join(tmpdir(), 'terse-pictures-'));
const config = readConfig({
  TERSE_LISTEN: '127.0.0.1:0',
  TERSE_SHORT_LISTEN: '127.0.0.1:0',
  TERSE_SHORT_BASE_URL: 'https://go.example.com',
  TERSE_DATABASE: `file:${join(folder, 'terse.db')}`,
});
const clock = () => NOW;
const log = () => {};
const store = await openStore(config.database, NOW);
const service = await startService({ config, store, clock, random: systemRandom, log, version: '0.1.0' });
const { baseUrl } = service.addresses;

for (const [at, [code, url, title, height]] of LINKS.entries()) {
  const made = await store.links.create(
    1,
    { codes: [code], url, title, expiresAt: null },
    NOW - (30 - at) * 86_400_000,
  );
  if (made) await store.clicks.apply({ journal: code, from: null, to: '1', aggregates: month(made.id, height) });
}

/** Some thirty days of clicks, more on workdays, the same in every picture. */
function month(link: number, height: number) {
  return Array.from({ length: 30 }, (_, ago) => {
    const day = dayOf(NOW) - ago;
    const weekend = [2, 3].includes(day % 7) ? 0.35 : 1;
    const clicks = Math.round(height * weekend * (1 + 0.6 * Math.sin(ago / 3)) + ((ago * 7) % 5));
    const counts = emptyDay();
    Object.assign(hourIn(counts, 12), { clicks, visitors: Math.ceil(clicks * 0.8), bots: ago % 4 });
    for (const kind of KINDS) {
      const names = NAMES[kind];
      for (const [rank, name] of names.entries()) {
        counts.names[kind].set(name, Math.round((clicks * (names.length - rank)) / 10));
      }
    }
    return { link, day, counts, visitors: new Map<number, number>() };
  });
}

const executablePath = findChromium();
if (!executablePath) throw new Error('No Chromium was found.');
const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
const viewport = { width: 900, height: 860 };
const page = await browser.newPage({ viewport, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC' });
await page.goto((await setupLink({ store, random: systemRandom, baseUrl, now: NOW })) ?? '');
await page.getByLabel('Name').fill('Ada');
for (const label of ['Password', 'Repeat the password']) await page.getByLabel(label, { exact: true }).fill(PASSWORD);
await page.getByRole('button', { name: 'Continue' }).click();
await page.waitForURL(`${baseUrl}/keys`);
for (const [theme, path] of [
  ['light', '/links/otters'],
  ['dark', '/links?order=clicks'],
] as const) {
  await page.emulateMedia({ colorScheme: theme });
  await page.goto(baseUrl + path);
  await page.setViewportSize({ ...viewport, height: theme === 'light' ? 860 : 520 });
  await page.screenshot({ path: `docs/images/dashboard-${theme}.png` });
}
await browser.close();
await service.stop();
rmSync(folder, { recursive: true });
