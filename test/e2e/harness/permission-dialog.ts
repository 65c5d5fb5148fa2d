import type { Display } from './display.ts';
import { until } from './until.ts';

const WHITE = 0xffffff;

/** Position of the dialog in the window of `launchChromium`: its right edge, below the toolbar. */
const DIALOG = { right: 824, top: 90, lowest: 600 };

/** Lowest line of the header of the extension's pages, which is white like the dialog and lies behind it. */
const HEADER_END = 150;

/**
 * Accepts the browser's permission dialog with the mouse and returns when it has closed. The dialog ignores clicks in
 * its first moments, so the click is repeated.
 */
export async function allowPermission(display: Display): Promise<void> {
  await until('the question for a permission', () => dialogBottom(display));
  await until('the question to be answered', () => {
    const bottom = dialogBottom(display);
    if (bottom) display.click(DIALOG.right - 55, bottom - 38);
    return bottom === null;
  });
}

/** Returns the lowest screen line of the dialog (the end of its white margin), or null while it is hidden. */
function dialogBottom(display: Display): number | null {
  const margin = DIALOG.right - 8;
  let y = DIALOG.top;
  while (y < DIALOG.lowest && display.colourAt(margin, y) === WHITE) y++;
  return y > HEADER_END && y < DIALOG.lowest ? y : null;
}
