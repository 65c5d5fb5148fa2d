import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { formatConnectionLink } from '@terse/contract';
import type { Page } from 'playwright-core';
import { createKey } from '../../backend/src/commands/manage.ts';
import { systemRandom } from '../../backend/src/domain/clock-and-random.ts';
import { type ChromiumUnderTest, launchChromium } from '../../test/e2e/harness/chromium.ts';
import { SHIPPED, withLoopbackGranted } from '../../test/e2e/harness/folders.ts';
import { addToList, connectOn, resultIn, shortenOther } from '../../test/e2e/harness/person.ts';
import { buildIfNeeded } from '../start/build.ts';
import { type PicturedLink, startPictureService } from './demo-service-data.ts';

// Creates the pictures for the store listings in docs/store/pictures. They show the built extension in a real
// Chromium with the real service, in both themes. The script also creates the small promotional tile.

type Theme = 'light' | 'dark';

interface Scene {
  theme: Theme;
  width: number;
  height: number;
  /** HTML of the scene. It is not escaped, so it must come from a trusted source. */
  html: string;
  css: string;
}

const DESIGN = resolve('design');
const TOKENS = readFileSync(join(DESIGN, 'tokens.css'), 'utf8');

const MARK = dataUrl('image/svg+xml', readFileSync(join(DESIGN, 'icon.svg')));

/** Picture size in pixels that the Chrome Web Store and Firefox's add-on store accept. */
const SIZE = { width: 1280, height: 800 };
const TILE = { width: 440, height: 280 };
const THEMES: Theme[] = ['light', 'dark'];

/** Host name of the service that the pictures show. Browsers resolve it to loopback, so it needs no certificate. */
const HOST = 'links.localhost';

/** CSS for a picture that shows a text and, next to it, a screenshot of the popup. */
const BESIDE = `
  main { display: grid; grid-template-columns: 1fr auto; align-items: center; gap: 72px; block-size: 100%; padding-inline: 96px; }
  .mark { inline-size: 64px; block-size: 64px; margin-block-end: 32px; }
  h1 { font-size: 52px; line-height: 1.12; letter-spacing: -0.02em; margin-block-end: 28px; }
  p { font-size: 22px; line-height: 1.45; color: var(--ink-soft); margin-block-end: 14px; max-inline-size: 30em; }
  .popup { border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 24px 64px var(--shade); }`;

const POPUP_SCALE = 1.25;

/**
 * Maximum height in pixels at which a popup is captured completely. The browser does not draw the bottom of a taller
 * popup.
 */
const FITS = 400;

const LINKS: PicturedLink[] = [
  ['rfc9110', 'https://www.rfc-editor.org/rfc/rfc9110.html', 'RFC 9110: HTTP Semantics', 7],
  ['soup', 'https://www.example.org/recipes/lentil-soup-with-lemon', 'Lentil soup with lemon', 12],
  ['csp', 'https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CSP', 'Content Security Policy (CSP)', 12],
  ['maps', 'https://www.openstreetmap.org/#map=15/52.5170/13.3889', 'OpenStreetMap', 18],
  ['spring-sale', 'https://shop.example.com/spring?ref=newsletter', 'Spring sale', 33],
  ['talk', 'https://slides.example.net/2026/queues-that-lose-nothing', 'Queues that lose nothing (slides)', 23],
  ['trip', 'https://www.example.com/albums/2026/iceland?view=grid&sort=date', 'Photos from Iceland', 9],
  ['otters', 'https://en.wikipedia.org/wiki/Otter', 'Otter - Wikipedia', 31],
];
const PAGES: Record<string, string> = {
  'https://en.wikipedia.org/wiki/Short-eared_owl': 'Short-eared owl - Wikipedia',
  'https://www.example.org/city/night-trains-2026': 'Night trains across Europe: the 2026 guide',
};
const LIST = [
  'https://en.wikipedia.org/wiki/Night_train',
  'https://www.openstreetmap.org/node/240109189',
  'https://www.example.org/city/vienna/where-to-eat',
  'https://www.example.org/city/zurich/lake-walk?from=station',
  'https://www.example.com/timetables/winter-2026.pdf',
  'https://developer.mozilla.org/en-US/docs/Web/API/Clipboard_API',
];

buildIfNeeded(resolve('.'));
const folder = resolve('docs/store/pictures');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const { service, store, stop } = await startPictureService(LINKS, {
  settings: { TERSE_THROTTLE: '100', TERSE_BASE_URL: `http://${HOST}` },
});
const key = { name: 'Laptop', throttle: null, quota: null };
const apiKey = await createKey(store, systemRandom, key, Date.now());
const ports = { [HOST]: Number(new URL(service.addresses.api).port) };
const browser = await launchChromium({ extension: withLoopbackGranted(SHIPPED.chrome), ports });
try {
  await takePictures(browser);
} finally {
  await browser.kill();
  await stop();
}

async function takePictures(browser: ChromiumUnderTest): Promise<void> {
  await browser.running.context.route(/^https:/, (route) => {
    const title = PAGES[route.request().url()];
    return title ? route.fulfill({ contentType: 'text/html', body: `<title>${title}</title>` }) : route.abort();
  });
  const options = await browser.openExtensionPage('options');
  await connectOn(options, formatConnectionLink({ baseUrl: service.addresses.baseUrl, apiKey }));
  await options.close();
  const [owl = '', trains = ''] = Object.keys(PAGES);

  const done = await browser.openPopup(await browser.openTab(owl));
  await done.getByRole('button', { name: 'Shorten this page' }).click();
  await resultIn(done);
  await staged('1-one-click', done, 'Shorten and copy<br>in one click', [
    'The page in front of you becomes a short link on your own server.',
    'Use the toolbar, the context menu or a shortcut.',
  ]);

  const links = await browser.openExtensionPage('links');
  await links.getByText('Photos from Iceland').waitFor();
  await whole('3-links', links);
  await links.close();

  const many = await browser.openExtensionPage('bulk');
  await addToList(many, LIST.join('\n'));
  await many.getByText(`List of ${LIST.length} addresses`).waitFor();
  await whole('4-many', many);
  await many.close();

  const online = await browser.goOffline();
  const popup = await browser.openExtensionPage('popup');
  for (const url of LIST.slice(0, 4)) {
    await shortenOther(popup, url);
    await popup.getByRole('button', { name: 'Back to this page' }).click();
  }
  await popup.close();
  const waiting = await withoutScrollbars(await browser.openPopup(await browser.openTab(trains)));
  await waiting.getByRole('button', { name: 'Shorten this page' }).click();
  await waiting.getByText('Not active yet', { exact: true }).waitFor();
  await staged('2-offline', waiting, 'A short URL,<br>even offline', [
    'Links that cannot be sent yet wait, and are sent automatically. Nothing is lost.',
    'You get the short URL and its QR code at once.',
  ]);
  const queue = await browser.openExtensionPage('queue');
  await queue.getByText('Night trains').first().waitFor();
  await whole('5-queue', queue);
  await queue.close();
  await online();

  await tile();
}

/**
 * Takes a screenshot of the popup, closes the popup, and creates a picture that shows the screenshot next to a title
 * and text.
 */
async function staged(name: string, popup: Page, title: string, lines: string[]): Promise<void> {
  const words = `<h1>${title}</h1>${lines.map((line) => `<p>${line}</p>`).join('')}`;
  const shown: [Theme, Buffer][] = [];
  for (const theme of THEMES) {
    await popup.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    shown.push([theme, await enlarged(popup)]);
  }
  const page = await browser.running.context.newPage();
  for (const [theme, picture] of shown) {
    const html = `<main><section><img class="mark" src="${MARK}" alt="">${words}</section>
      <img class="popup" src="${dataUrl('image/png', picture)}" alt=""></main>`;
    save(`${name}-${theme}`, await photographScene(page, { theme, ...SIZE, html, css: BESIDE }));
  }
  await page.close();
}

/**
 * Takes an enlarged screenshot of the popup. If the popup is too tall, the screenshot leaves out everything below the
 * popup's main area.
 */
async function enlarged(popup: Page): Promise<Buffer> {
  const session = await browser.running.context.newCDPSession(popup);
  const clip = await popup.evaluate((fits) => {
    const { x = 0, y = 0, width = 0, height = 0 } = document.querySelector('main')?.getBoundingClientRect() ?? {};
    const { bottom = 0 } = document.querySelector('.stage')?.getBoundingClientRect() ?? {};
    return { x, y, width, height: height > fits ? bottom : height };
  }, FITS);
  const { data } = await session.send('Page.captureScreenshot', { clip: { ...clip, scale: POPUP_SCALE } });
  return Buffer.from(data, 'base64');
}

/**
 * Hides scrollbars. They appear only because the test window is shorter than a real popup, which is as tall as its
 * page.
 */
async function withoutScrollbars(page: Page): Promise<Page> {
  const session = await browser.running.context.newCDPSession(page);
  await session.send('Emulation.setScrollbarsHidden', { hidden: true });
  return page;
}

async function whole(name: string, page: Page): Promise<void> {
  await withoutScrollbars(page);
  await page.setViewportSize(SIZE);
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    save(`${name}-${theme}`, await page.screenshot());
  }
}

async function tile(): Promise<void> {
  const page = await browser.running.context.newPage();
  const html = `<main><img src="${MARK}" alt=""><h1>Terse</h1><p>Short links through<br>a service of your own</p></main>`;
  const css = `main { display: grid; place-content: center; justify-items: center; block-size: 100%; text-align: center; background: var(--accent-soft); }
    img { inline-size: 72px; } h1 { font-size: 44px; letter-spacing: -0.02em; margin-block: 10px 6px; }
    p { font-size: 21px; line-height: 1.35; color: var(--ink-soft); }`;
  save('tile', await photographScene(page, { theme: 'light', ...TILE, html, css }));
  await page.close();
}

function save(name: string, picture: Buffer): void {
  writeFileSync(join(folder, `${name}.png`), picture);
  console.log(`docs/store/pictures/${name}.png`);
}

function dataUrl(type: 'image/png' | 'image/svg+xml', bytes: Buffer): string {
  return `data:${type};base64,${bytes.toString('base64')}`;
}

/** Takes a screenshot of a scene in the extension's colors and fonts. */
async function photographScene(page: Page, { theme, width, height, html, css }: Scene): Promise<Buffer> {
  await page.setViewportSize({ width, height });
  await page.setContent(
    `<!doctype html><html style="color-scheme: ${theme}"><style>${TOKENS}
      * { box-sizing: border-box; margin: 0; }
      body { inline-size: ${width}px; block-size: ${height}px; overflow: hidden; background: var(--paper); color: var(--ink);
        font-family: var(--font); }
      ${css}</style><body>${html}</body></html>`,
  );
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
  return page.screenshot();
}
