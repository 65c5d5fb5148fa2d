import type { Display } from './display.ts';
import { until } from './until.ts';

const WHITE = 0xffffff;

/** Where the dialog hangs in the window that `launchChromium` opens: its right edge, and below the toolbar. */
const DIALOG = { right: 824, top: 90, lowest: 600 };

/**
 * Accepts the browser's own question whether the extension may reach an origin, with the mouse, and returns when it is
 * gone. The dialog ignores clicks for its first moments, so it is clicked until it obeys.
 */
export async function allowPermission(display: Display): Promise<void> {
  await until('the question for a permission', () => dialogBottom(display));
  await until('the question to be answered', () => {
    const bottom = dialogBottom(display);
    if (bottom) display.click(DIALOG.right - 55, bottom - 38);
    return bottom === null;
  });
}

/** The dialog's last line on the screen: where the white of its margin ends. Null while it is not shown. */
function dialogBottom(display: Display): number | null {
  const margin = DIALOG.right - 8;
  let y = DIALOG.top;
  while (y < DIALOG.lowest && display.colourAt(margin, y) === WHITE) y++;
  return y > DIALOG.top && y < DIALOG.lowest ? y : null;
}
