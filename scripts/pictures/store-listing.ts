import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { reach, statesOf } from '../../test/gallery/look/reach.ts';
import { openGalleryBrowser } from './gallery-browser.ts';

// Creates the pictures for the store listings in docs/store/pictures from states of test/gallery, in both themes, and
// the small promotional tile.

/** Pictures of one state of a page. A picture with a title shows the title and the text beside the popup. */
const PICTURES: { name: string; page: string; state: string; title?: string; lines?: string[] }[] = [
  {
    name: '1-one-click',
    page: 'popup',
    state: 'done',
    title: 'Shorten and copy<br>in one click',
    lines: [
      'The page in front of you becomes a short link on your own server.',
      'Use the toolbar, the context menu or a shortcut.',
    ],
  },
  {
    name: '2-offline',
    page: 'popup',
    state: 'minted-offline',
    title: 'A short URL,<br>even offline',
    lines: [
      'Links that cannot be sent yet wait, and are sent automatically. Nothing is lost.',
      'You get the short URL and its QR code at once.',
    ],
  },
  { name: '3-links', page: 'links', state: 'clicked' },
  { name: '4-many', page: 'many', state: 'pasted' },
  { name: '5-queue', page: 'queue', state: 'offline' },
];

/** Picture sizes in pixels that the Chrome Web Store and Firefox's add-on store accept. */
const SIZE = { width: 1280, height: 800 };
const TILE = { width: 440, height: 280 };
/** Width of the popup in CSS pixels, and the enlargement of all pages. */
const POPUP_WIDTH = 360;
const ZOOM = 1.25;

const FOLDER = 'docs/store/pictures';
const TOKENS = readFileSync('design/tokens.css', 'utf8');
const MARK = dataUrl('image/svg+xml', readFileSync('design/icon.svg'));

/** CSS for a picture that shows a text and, next to it, an enlarged screenshot of the popup. */
const BESIDE = `
  main { display: grid; grid-template-columns: 1fr auto; align-items: center; gap: 72px; block-size: 100%; padding-inline: 96px; }
  .mark { inline-size: 64px; block-size: 64px; margin-block-end: 32px; }
  h1 { font-size: 52px; line-height: 1.12; letter-spacing: -0.02em; margin-block-end: 28px; }
  p { font-size: 22px; line-height: 1.45; color: var(--ink-soft); margin-block-end: 14px; max-inline-size: 30em; }
  .popup { border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 24px 64px var(--shade); }`;

const TILE_CSS = `
  main { display: grid; place-content: center; justify-items: center; block-size: 100%; text-align: center; background: var(--accent-soft); }
  img { inline-size: 72px; }
  h1 { font-size: 44px; letter-spacing: -0.02em; margin-block: 10px 6px; }
  p { font-size: 21px; line-height: 1.35; color: var(--ink-soft); }`;

const { page, address, close } = await openGalleryBrowser(1);
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
for (const theme of ['light', 'dark'] as const) {
  await page.emulateMedia({ colorScheme: theme });
  for (const { name, page: gallery, state, title, lines = [] } of PICTURES) {
    const file = `${name}-${theme}`;
    await open(gallery, state);
    if (title) await compose(title, lines, await page.locator('main').screenshot());
    await save(file);
  }
}
await page.emulateMedia({ colorScheme: 'light' });
const slogan = 'Short links through<br>a service of your own';
await draw(TILE, TILE_CSS, `<img src="${MARK}" alt=""><h1>Terse</h1><p>${slogan}</p>`);
await save('tile');
await close();

/** Opens a state of an enlarged page. */
async function open(name: string, state: string): Promise<void> {
  await page.setViewportSize({ ...SIZE, ...(name === 'popup' && { width: POPUP_WIDTH * ZOOM }) });
  await page.goto(`${address}${name}.html?lang=en`);
  await page.evaluate((zoom) => document.documentElement.style.setProperty('zoom', `${zoom}`), ZOOM);
  const steps = (await statesOf(page))[state];
  if (!steps) throw new Error(`The gallery has no state "${state}" of the page ${name}.`);
  await reach(page, state, steps);
}

function compose(title: string, lines: string[], popup: Buffer): Promise<void> {
  const words = `<h1>${title}</h1>${lines.map((line) => `<p>${line}</p>`).join('')}`;
  const picture = `<img class="popup" src="${dataUrl('image/png', popup)}" alt="">`;
  return draw(SIZE, BESIDE, `<section><img class="mark" src="${MARK}" alt="">${words}</section>${picture}`);
}

/** Shows HTML in the extension's colors and fonts. The HTML is not escaped, so it must come from this file. */
async function draw(size: { width: number; height: number }, css: string, html: string): Promise<void> {
  await page.setViewportSize(size);
  await page.goto('about:blank');
  await page.setContent(
    `<!doctype html><html style="color-scheme: light dark"><style>${TOKENS}
      * { box-sizing: border-box; margin: 0; }
      body { block-size: 100vh; overflow: hidden; background: var(--paper); color: var(--ink); font-family: var(--font); }
      ${css}</style><body><main>${html}</main></body></html>`,
  );
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
}

async function save(name: string): Promise<void> {
  const path = `${FOLDER}/${name}.png`;
  await page.screenshot({ path, animations: 'disabled' });
  console.log(path);
}

function dataUrl(type: 'image/png' | 'image/svg+xml', bytes: Buffer): string {
  return `data:${type};base64,${bytes.toString('base64')}`;
}
