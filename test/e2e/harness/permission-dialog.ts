import type { Page } from 'playwright-core';
import type { Display } from './display.ts';
import { until } from './until.ts';

const WHITE = 0xffffff;

/** Where the dialog hangs in the window that `launchChromium` opens: its right edge, and below the toolbar. */
const DIALOG = { right: 824, top: 90, lowest: 600 };

/**
 * Accepts the browser's own question whether the extension may reach `origin`, with the mouse, and returns when the
 * extension has the permission. The dialog ignores clicks for its first moments, so it is clicked until it obeys.
 */
export async function allowPermission(display: Display, extensionPage: Page, origin: string): Promise<void> {
  const pattern = `${origin.replace(/:\d+$/, '')}/*`;
  const isGranted = () => extensionPage.evaluate((p) => chrome.permissions.contains({ origins: [p] }), pattern);
  await until(`the permission for ${pattern}`, async () => {
    const bottom = dialogBottom(display);
    if (bottom) display.click(DIALOG.right - 55, bottom - 38);
    return isGranted();
  });
}

/** The dialog's last line on the screen: where the white of its margin ends. Null while it is not shown. */
function dialogBottom(display: Display): number | null {
  const margin = DIALOG.right - 8;
  let y = DIALOG.top;
  while (y < DIALOG.lowest && display.colourAt(margin, y) === WHITE) y++;
  return y > DIALOG.top && y < DIALOG.lowest ? y : null;
}
