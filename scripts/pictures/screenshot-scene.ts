import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

export type Theme = 'light' | 'dark';

export interface Scene {
  theme: Theme;
  width: number;
  height: number;
  /** HTML of the scene. It is not escaped, so it must come from a trusted source. */
  html: string;
  css: string;
}

const DESIGN = join(import.meta.dirname, '..', '..', 'design');
const TOKENS = readFileSync(join(DESIGN, 'tokens.css'), 'utf8');

export const MARK = dataUrl('image/svg+xml', readFileSync(join(DESIGN, 'icon.svg')));

export function dataUrl(type: 'image/png' | 'image/svg+xml', bytes: Buffer): string {
  return `data:${type};base64,${bytes.toString('base64')}`;
}

/** Takes a screenshot of a scene in the extension's colors and fonts. */
export async function photographScene(page: Page, { theme, width, height, html, css }: Scene): Promise<Buffer> {
  await page.setViewportSize({ width, height });
  await page.setContent(
    `<!doctype html><html data-theme="${theme}"><style>${TOKENS}
      * { box-sizing: border-box; margin: 0; }
      body { inline-size: ${width}px; block-size: ${height}px; overflow: hidden; background: var(--paper); color: var(--ink);
        font-family: var(--font); }
      ${css}</style><body>${html}</body></html>`,
  );
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
  return page.screenshot();
}
