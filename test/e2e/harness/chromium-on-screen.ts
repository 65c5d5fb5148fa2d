import type { BrowserOnScreen, BrowserPage, Point } from './browser-under-test.ts';
import { type ChromiumOptions, launchChromium } from './chromium.ts';
import type { Display } from './display.ts';
import { until } from './until.ts';

/**
 * Keys that move from the end of the context menu to the extension's items. Chromium does not report the positions of
 * menu items.
 */
const KEYS: Record<string, string[]> = {
  'Shorten this page': ['Up', 'Up', 'Up'],
  'Shorten link': ['Up', 'Up'],
  // The menu of a frame has two more items at its end.
  'Shorten this page in a frame': ['Up', 'Up', 'Up', 'Up', 'Up'],
  // The item is the first of two in a submenu.
  'Shorten selected addresses': ['Up', 'Up', 'Right'],
};

export async function launchChromiumOnScreen(options: ChromiumOptions, display: Display): Promise<BrowserOnScreen> {
  const chromium = await launchChromium({ ...options, display: display.name });
  let hasAllowed = false;
  /** The window fills the top left corner of the screen, and the page extends to the window's bottom right corner. */
  const pointOf = async (tab: BrowserPage, { x, y }: Point): Promise<Point> => {
    await tab.bringToFront();
    const edges = await tab.evaluate('[outerWidth - innerWidth, outerHeight - innerHeight]');
    const [left, top] = edges as [number, number];
    return { x: left + x, y: top + y };
  };
  return {
    ...chromium,
    display,
    async clickOn(tab, point) {
      const { x, y } = await pointOf(tab, point);
      display.click(x, y);
    },
    async chooseFromMenu(tab, point, item, place) {
      const keys = KEYS[place ? `${item} in a ${place}` : item];
      if (!keys) throw new Error(`The position of "${item}" in the menu is unknown`);
      const { x, y } = await pointOf(tab, point);
      await display.openMenu(x, y);
      const menus = display.windows();
      display.press(...keys);
      // A submenu opens late on a busy machine. Until then, Return would open it instead of choosing its first item.
      if (keys.includes('Right')) await until('a submenu to open', () => display.windows() > menus);
      await display.settle();
      display.press('Return');
    },
    async allowPermission() {
      // Chromium grants a permission without a dialog if the user has granted it before.
      if (hasAllowed) return;
      await allowPermission(display);
      hasAllowed = true;
    },
  };
}

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
