import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { findChromium } from '../../../scripts/browsers/find.ts';
import { OF_COLOURS, violations } from '../../gallery/look/axe.ts';
import { overflowing } from '../../gallery/look/overflow.ts';

export const PASSWORD = 'correct horse battery';

/** Backend setting that allows links to a web site on this computer, because tests must not use the internet. */
export const LOOPBACK = { TERSE_ALLOW_PRIVATE_TARGETS: 'true' };

/** User agent of a desktop browser, because the backend counts clicks of headless browsers as bots. */
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';

/** Opens a page in a temporary Chromium without extensions. Any error on the page fails the test. */
export async function givenPage(options: BrowserContextOptions = {}): Promise<Page> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('No Chromium was found: run the tests with `npm test`, which provides one');
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
  const page = await (await browser.newContext({ reducedMotion: 'reduce', userAgent: PERSON, ...options })).newPage();
  const complaints: string[] = [];
  // Error responses are normal pages of the dashboard, but a blocked script or style is a fault.
  page.on(
    'console',
    (message) =>
      message.type() === 'error' && !/status of 4\d\d/.test(message.text()) && complaints.push(message.text()),
  );
  page.on('pageerror', (error) => complaints.push(error.message));
  onTestFinished(async () => {
    await browser.close();
    expect(complaints).toEqual([]);
  });
  return page;
}

export async function setUp(page: Page, link: string, name = 'Ada'): Promise<void> {
  await page.goto(link);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Repeat the password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor();
}

export async function makeLink(
  page: Page,
  baseUrl: string,
  link: { url: string; code?: string; title?: string },
): Promise<void> {
  await page.goto(`${baseUrl}/links/new`);
  await page.getByLabel('Long URL').fill(link.url);
  await page.getByLabel('Short code').fill(link.code ?? '');
  await page.getByLabel('Title').fill(link.title ?? '');
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByText('Your link is ready').waitFor();
}

/** Widths of a small phone, a larger phone and half a desktop window, in CSS pixels. */
const WIDTHS = [320, 360, 640];

/** Checks a page's accessibility with axe in both themes, and its layout in narrow windows. */
export async function checkLooks(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await violations(page), page.url()).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page, OF_COLOURS), `${page.url()} in the dark`).toEqual([]);
  const before = page.viewportSize() ?? { width: 1280, height: 720 };
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 740 });
    expect(await page.evaluate(overflowing), `${page.url()} at ${width} px`).toEqual([]);
  }
  await page.setViewportSize(before);
}
