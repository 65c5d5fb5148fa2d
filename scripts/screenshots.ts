// Photographs every state of the extension's pages from test/gallery into .cache/screenshots, in both themes, from right
// to left and at every width. Ends with 1 where axe finds a violation, a page is wider than its window, or the popup jumps.
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { AxeResults } from 'axe-core';
import { chromium, type Page } from 'playwright-core';
import { build, preview } from 'vite';
import manifest from '../manifest.json' with { type: 'json' };
import { findChromium } from './browsers/find.ts';

interface State {
  type?: Record<string, string>;
  press?: string | string[];
  query?: string;
}

interface Shot {
  theme: 'light' | 'dark';
  dir: 'ltr' | 'rtl';
  width: number;
  /** In the colours that a person has forced on every page. */
  forced?: true;
}

const root = resolve('test/gallery');
const gallery = resolve('.cache/gallery');
const shots = resolve('.cache/screenshots');
const only = process.argv[2] ?? '';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const SHOTS: Record<string, Shot[]> = {
  popup: [
    { theme: 'light', dir: 'ltr', width: 360 },
    { theme: 'dark', dir: 'ltr', width: 360 },
    { theme: 'light', dir: 'rtl', width: 400 },
    { theme: 'dark', dir: 'ltr', width: 320 },
    { theme: 'light', dir: 'ltr', width: 360, forced: true },
  ],
  options: [
    { theme: 'light', dir: 'ltr', width: 800 },
    { theme: 'dark', dir: 'ltr', width: 800 },
    { theme: 'light', dir: 'rtl', width: 320 },
  ],
  links: [
    { theme: 'light', dir: 'ltr', width: 1000 },
    { theme: 'dark', dir: 'ltr', width: 1000 },
    { theme: 'light', dir: 'rtl', width: 320 },
  ],
  broken: [
    { theme: 'light', dir: 'ltr', width: 360 },
    { theme: 'dark', dir: 'ltr', width: 1000 },
    { theme: 'light', dir: 'rtl', width: 320 },
  ],
};

/** The highest page that is photographed whole, in pixels. */
const LONGEST = 4_000;

/** The pictures that the documentation shows. */
const PICTURES: Record<string, string> = {
  'popup-ready-light-ltr-360.png': 'popup-light.png',
  'popup-done-light-ltr-360.png': 'popup-done-light.png',
  'popup-done-dark-ltr-360.png': 'popup-done-dark.png',
  'options-tested-light-ltr-800.png': 'options-light.png',
};

/** From the first request to its result nothing moves: below the card, all of these look the same. */
const STEADY = [
  ...['ready', 'asking', 'sending', 'throttled', 'done', 'done-copy-refused', 'earlier', 'offline', 'unreachable'],
  ...[
    'unanswered',
    'parked',
    'undecided',
    'failed',
    'failed-target',
    'lost',
    'refused',
    'existing-handed',
    'done-other-host',
    'unprotected',
    'minted-sending',
    'minted-offline',
    'minted-unreachable',
  ],
];

const executable = findChromium();
if (!executable) throw new Error('No Chromium was found: `npm test` provides one');

const jsx = { jsx: { runtime: 'automatic', importSource: 'preact' } } as const;
await build({
  root,
  configFile: false,
  logLevel: 'warn',
  oxc: jsx,
  build: {
    outDir: gallery,
    emptyOutDir: true,
    rolldownOptions: {
      input: Object.keys(SHOTS).map((page) => resolve(root, `${page}.html`)),
      // One script, in the order of its imports: the browser's stand-in has to be there before whatever reads it.
      output: { codeSplitting: { groups: [{ name: 'gallery', test: /./ }] } },
    },
  },
});
const server = await preview({
  root,
  configFile: false,
  build: { outDir: gallery },
  // The pages' own policy, so that what it forbids is missing from the pictures too.
  preview: { port: 0, headers: { 'Content-Security-Policy': manifest.content_security_policy.extension_pages } },
});
const address = server.resolvedUrls?.local[0];
const browser = await chromium.launch({ executablePath: executable, chromiumSandbox: false });
const context = await browser.newContext({
  locale: 'en-GB',
  timezoneId: 'Europe/Berlin',
  reducedMotion: 'reduce',
  deviceScaleFactor: 2,
});
const page = await context.newPage();
page.on('console', (message) => message.type() === 'error' && console.error(`  console: ${message.text()}`));

rmSync(shots, { recursive: true, force: true });
mkdirSync(shots, { recursive: true });
let violations = 0;
let pictures = 0;
const heights = new Map<string, number>();
for (const [name, wanted] of Object.entries(SHOTS)) {
  await page.goto(`${address}${name}.html`);
  const states: Record<string, State> = await page.evaluate(() =>
    JSON.parse(document.documentElement.dataset.states ?? ''),
  );
  for (const [state, how] of Object.entries(states)) {
    if (!`${name}-${state}`.includes(only)) continue;
    for (const shot of wanted) violations += await photograph(name, state, how, shot);
  }
}
await browser.close();
await server.close();
if (new Set(heights.values()).size > 1) {
  console.error('The popup jumps:', Object.fromEntries(heights));
  violations += 1;
}
if (only === '')
  for (const [shot, picture] of Object.entries(PICTURES)) copyFileSync(resolve(shots, shot), `docs/images/${picture}`);
console.log(`${pictures} screenshots in .cache/screenshots, ${violations} violations`);
process.exitCode = violations > 0 ? 1 : 0;

/** @returns how many violations axe found */
async function photograph(name: string, state: string, how: State, shot: Shot): Promise<number> {
  const { theme, dir, width, forced } = shot;
  const forcedColors = forced ? 'active' : 'none';
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce', forcedColors });
  await page.setViewportSize({ width, height: name === 'popup' ? 340 : 760 });
  await page.goto(`${address}${name}.html?state=${state}&theme=${theme}&dir=${dir}`);
  await reach(page, how);
  // The browser makes the popup's window as high as its page.
  if (name === 'popup') await page.setViewportSize({ width, height: Math.min(600, await heightOf(page)) });
  if (name === 'popup' && STEADY.includes(state) && width === 360 && !forced) {
    heights.set(`${state} ${theme}`, await heightOf(page));
  }
  const file = `${name}-${state}-${forced ? 'forced' : theme}-${dir}-${width}.png`;
  // A list of thousands of rows is photographed as the window shows it.
  const fullPage = (await heightOf(page)) < LONGEST;
  await page.screenshot({ path: resolve(shots, file), fullPage, animations: 'disabled' });
  pictures += 1;
  await page.evaluate(axe);
  const { violations: found } = await page.evaluate<AxeResults>('axe.run()');
  for (const { id, help, nodes } of found) {
    console.error(`${file}: ${id}: ${help}\n  ${nodes.map((node) => node.html).join('\n  ')}`);
  }
  const overflow = await page.evaluate(() => {
    const cut = [...document.querySelectorAll('.scroll-content')].map((part) => part.scrollWidth - part.clientWidth);
    return Math.max(document.documentElement.scrollWidth - innerWidth, ...cut);
  });
  if (overflow > 0) console.error(`${file}: ${overflow} px wider than its window`);
  // The popup's middle scrolls: its page never does.
  const tooHigh = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  if (name === 'popup' && tooHigh > 0) console.error(`${file}: ${tooHigh} px higher than its window`);
  return found.length + (overflow > 0 ? 1 : 0) + (name === 'popup' && tooHigh > 0 ? 1 : 0);
}

function heightOf(page: Page): Promise<number> {
  return page.locator('main').evaluate((main) => Math.ceil(main.getBoundingClientRect().height));
}

async function reach(page: Page, { type = {}, press, query }: State): Promise<void> {
  for (const [selector, text] of Object.entries(type)) await page.locator(selector).fill(text);
  for (const name of [press ?? []].flat()) await page.getByRole('button', { name, exact: true }).last().click();
  if (String(press).startsWith('QR code')) await page.locator('.qr path:not([d=""])').waitFor();
  if (query) await page.getByRole('searchbox').fill(query);
}
