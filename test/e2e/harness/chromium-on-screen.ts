import type { BrowserOnScreen, BrowserPage, Point } from './browser-under-test.ts';
import type { LaunchOptions } from './chromium.ts';
import { startChromiumUnderTest } from './chromium-under-test.ts';
import type { Display } from './display.ts';
import { allowPermission } from './permission-dialog.ts';

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

export async function startChromiumOnScreen(options: LaunchOptions, display: Display): Promise<BrowserOnScreen> {
  const chromium = await startChromiumUnderTest({ ...options, display: display.name });
  let hasAllowed = false;
  /** The window fills the top left corner of the screen, and the page extends to the window's bottom right corner. */
  const pointOf = async (tab: BrowserPage, { x, y }: Point): Promise<Point> => {
    await tab.bringToFront();
    const [left, top] = (await tab.evaluate('[outerWidth - innerWidth, outerHeight - innerHeight]')) as [
      number,
      number,
    ];
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
      display.press(...keys, 'Return');
    },
    async allowPermission() {
      // Chromium grants a permission without a dialog if the user has granted it before.
      if (hasAllowed) return;
      await allowPermission(display);
      hasAllowed = true;
    },
  };
}
