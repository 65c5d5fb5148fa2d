import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { requireChromium } from '../../../scripts/browsers/find.ts';
import { OF_COLOURS, violations } from '../../gallery/look/axe.ts';
import { overflowing } from '../../gallery/look/overflow.ts';
import { type Backend, startBackend } from './backend.ts';

export const PASSWORD = 'correct horse battery';

/** Backend setting that allows links to a web site on this computer, because tests must not use the internet. */
export const LOOPBACK = { TERSE_ALLOW_PRIVATE_TARGETS: 'true' };

/** User agent of a desktop browser, because the backend counts clicks of headless browsers as bots. */
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';

/** Opens a page in a Chromium without extensions, with its own cookies. Any error on the page fails the test. */
export async function givenPage(options: BrowserContextOptions = {}): Promise<Page> {
  const browser = await sharedChromium();
  const context = await browser.newContext({ reducedMotion: 'reduce', userAgent: PERSON, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  // Ignores failed requests, because tests open error pages and simulate an unreachable server. All other errors count,
  // such as blocked scripts and styles.
  page.on(
    'console',
    (message) =>
      message.type() === 'error' &&
      !/status of 4\d\d|ERR_FAILED|ERR_CONNECTION_REFUSED/.test(message.text()) &&
      complaints.push(message.text()),
  );
  page.on('pageerror', (error) => complaints.push(error.message));
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  return page;
}

/** A backend that all tests of a file share. No account sees the links of another one. */
export interface Dashboard {
  backend: Backend;
  /** Signs a page in to a new account and opens its API keys. By default, each account gets a different name. */
  signIn(page: Page, name?: string): Promise<void>;
  /** Signs a page in to the owner's account, to which the backend's API key belongs, and opens its API keys. */
  signInAsOwner(page: Page): Promise<void>;
}

/** Starts a backend for all tests of a file, and sets its owner's account up. */
export function openDashboard(): Dashboard {
  let accounts = 0;
  let ownerSession = '';
  const from = { 'Sec-Fetch-Site': 'same-origin' };

  async function accept(link: string, name: string): Promise<string> {
    const body = new URLSearchParams({ name, password: PASSWORD, again: PASSWORD });
    const answer = await fetch(link, { method: 'POST', body, headers: from, redirect: 'manual' });
    expect(answer.status).toBe(303);
    return answer.headers.get('set-cookie') ?? '';
  }
  async function enter(page: Page, session: string): Promise<void> {
    const [name = '', value = ''] = session.split(/[=;]/);
    await page.context().addCookies([{ name, value, url: dashboard.backend.baseUrl }]);
    await page.goto(`${dashboard.backend.baseUrl}/keys`);
  }
  const dashboard = {
    async signIn(page, name = `Guest ${++accounts}`) {
      const invited = await fetch(`${dashboard.backend.baseUrl}/account/invitations`, {
        method: 'POST',
        body: new URLSearchParams({ invitee: name }),
        headers: { ...from, Cookie: ownerSession.split(';')[0] ?? '' },
      });
      const [, link = ''] = /<code>([^<]+\/welcome\/[^<]+)<\/code>/.exec(await invited.text()) ?? [];
      await enter(page, await accept(link, name));
    },
    signInAsOwner: (page) => enter(page, ownerSession),
  } as Dashboard;
  beforeAll(async () => {
    dashboard.backend = await startBackend({ TERSE_THROTTLE: '100', ...LOOPBACK });
    ownerSession = await accept(dashboard.backend.setupLink(), 'Ada');
  });
  afterAll(() => dashboard.backend?.kill());
  return dashboard;
}

/** Sets an account up with the form of its setup or invitation link. */
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
  await page.getByLabel('Address').fill(link.url);
  await page.getByLabel('Short code').fill(link.code ?? '');
  await page.getByLabel('Title').fill(link.title ?? '');
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByText('Your link is ready').waitFor();
}

/** Creates a link of the account that the page is signed in to, without the form. */
export async function addLink(page: Page, baseUrl: string, code: string, url = 'http://127.0.0.1:1/'): Promise<void> {
  const sent = { form: { url, code }, headers: { 'Sec-Fetch-Site': 'same-origin' } };
  expect((await page.request.post(`${baseUrl}/links`, sent)).ok()).toBe(true);
}

/** Widths of a small phone, a larger phone and half a desktop window, in CSS pixels. */
const WIDTHS = [320, 360, 640];

/** Checks a page's accessibility with axe in both themes, and its layout in narrow windows. */
export async function checkLooks(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await violations(page), page.url()).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page, OF_COLOURS), `${page.url()} in the dark theme`).toEqual([]);
  const before = page.viewportSize() ?? { width: 1280, height: 720 };
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 740 });
    expect(await page.evaluate(overflowing), `${page.url()} at ${width} px`).toEqual([]);
  }
  await page.setViewportSize(before);
}

let shared: Promise<Browser> | undefined;

// Registered for every test file that imports this module.
afterAll(async () => (await shared)?.close());

/** Returns a Chromium without extensions, which starts once for all tests of a file. */
export function sharedChromium(): Promise<Browser> {
  shared ??= chromium.launch({ executablePath: requireChromium(), chromiumSandbox: false });
  return shared;
}
