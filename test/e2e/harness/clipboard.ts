import type { Browser } from './chromium.ts';

/**
 * The clipboard's text, read by a page of `origin` (a loopback server's, which counts as secure) in a tab of its own.
 * Open popups close, as they do when a person turns to another tab.
 */
export async function readClipboard({ context }: Browser, origin: string): Promise<string> {
  await context.grantPermissions(['clipboard-read'], { origin });
  const page = await context.newPage();
  await page.goto(origin);
  const text = await page.evaluate(() => navigator.clipboard.readText());
  await page.close();
  return text;
}
