import type { Display } from './display.ts';
import { until } from './until.ts';

const WHITE = 0xffffff;

/**
 * Position of the permission dialog in Chromium's window. `right` and `top` are the dialog's edges below the toolbar.
 */
const DIALOG = { right: 824, top: 90, lowest: 600 };

/** Lowest line of the header of the extension's pages, which is white like the dialog and lies behind it. */
const HEADER_END = 150;

/**
 * Accepts the browser's permission dialog with the mouse, and waits until the dialog closes. Repeats the click,
 * because the dialog ignores clicks in its first moments.
 */
export async function allowPermission(display: Display): Promise<void> {
  await until('the permission dialog', () => dialogBottom(display));
  await until('the permission dialog to close', () => {
    const bottom = dialogBottom(display);
    if (bottom) display.click(DIALOG.right - 55, bottom - 38);
    return bottom === null;
  });
}

/** Returns the lowest screen line of the dialog's white margin, or null if the dialog is hidden. */
function dialogBottom(display: Display): number | null {
  const margin = DIALOG.right - 8;
  let y = DIALOG.top;
  while (y < DIALOG.lowest && display.colourAt(margin, y) === WHITE) y++;
  return y > HEADER_END && y < DIALOG.lowest ? y : null;
}
