// Takes screenshots of every state in test/gallery and saves them in .cache/screenshots. The screenshots cover both
// themes, both text directions and several widths.
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { reach, type Steps, statesOf } from '../../test/gallery/look/reach.ts';
import { SHOTS, type Shot } from '../../test/gallery/shots.ts';
import { openGalleryBrowser } from './gallery-browser.ts';

const shots = resolve('.cache/screenshots');
const [only = '', language = 'en'] = process.argv.slice(2);

/** Maximum height of a full-page screenshot, in pixels. */
const MAX_HEIGHT = 4_000;

const PICTURES: Record<string, string> = {
  'popup-done-light-ltr-360.png': 'popup-done-light.png',
  'popup-done-dark-ltr-360.png': 'popup-done-dark.png',
};

const { page, address, close } = await openGalleryBrowser(2);
rmSync(shots, { recursive: true, force: true });
mkdirSync(shots, { recursive: true });
let pictures = 0;
for (const [name, wanted] of Object.entries<Shot[]>(SHOTS)) {
  await page.goto(`${address}${name}.html?lang=${language}`);
  for (const [state, how] of Object.entries(await statesOf(page))) {
    if (!`${name}-${state}`.includes(only)) continue;
    for (const shot of wanted) await photograph(name, state, how, shot);
  }
}
await close();
for (const [shot, picture] of Object.entries(PICTURES)) {
  // A screenshot is missing if the command-line options exclude it.
  if (existsSync(resolve(shots, shot))) copyFileSync(resolve(shots, shot), `docs/images/${picture}`);
}
console.log(`${pictures} screenshots in .cache/screenshots`);

async function photograph(name: string, state: string, how: Steps, shot: Shot): Promise<void> {
  const { theme, width, forced } = shot;
  // English and the artificial language `long` are shown in both text directions. Other languages have one direction.
  const dir = language === 'en' || language === 'long' ? shot.dir : undefined;
  const forcedColors = forced ? 'active' : 'none';
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce', forcedColors });
  await page.setViewportSize({ width, height: name === 'popup' ? 340 : 760 });
  const query = new URLSearchParams({ lang: language, ...(dir && { dir }) });
  await page.goto(`${address}${name}.html?${query}`);
  await reach(page, state, how);
  // In a real browser, the popup is as tall as its page.
  if (name === 'popup') await page.setViewportSize({ width, height: Math.min(600, await heightOf(page)) });
  const file = `${name}-${state}-${forced ? 'forced' : theme}-${dir ?? language}-${width}.png`;
  // Very long pages are captured only up to the window's height.
  const fullPage = (await heightOf(page)) < MAX_HEIGHT;
  await page.screenshot({ path: resolve(shots, file), fullPage, animations: 'disabled' });
  pictures += 1;
}

function heightOf(page: Page): Promise<number> {
  return page.locator('main').evaluate((main) => Math.ceil(main.getBoundingClientRect().height));
}
