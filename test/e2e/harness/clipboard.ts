import type { Browser } from './chromium.ts';

/**
 * Returns the clipboard's text, read by a page of `origin` in a new tab. `origin` is a loopback server, which
 * browsers treat as secure. The new tab closes open popups.
 */
export async function readClipboard({ context }: Browser, origin: string): Promise<string> {
  await context.grantPermissions(['clipboard-read'], { origin });
  const page = await context.newPage();
  await page.goto(origin);
  const text = await page.evaluate(() => navigator.clipboard.readText());
  await page.close();
  return text;
}
