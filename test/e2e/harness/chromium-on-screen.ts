import type { BrowserOnScreen, BrowserPage, Point } from './browser-under-test.ts';
import type { LaunchOptions } from './chromium.ts';
import { startChromiumUnderTest } from './chromium-under-test.ts';
import type { Display } from './display.ts';
import { allowPermission } from './permission-dialog.ts';

/** Keys from the end of the menu to the extension's items, because Chromium does not report their positions. */
const KEYS: Record<string, string[]> = {
  'Shorten this page': ['Up', 'Up', 'Up'],
  'Shorten link': ['Up', 'Up'],
  // The first of two items in a submenu.
  'Shorten selected addresses': ['Up', 'Up', 'Right'],
};

/** Starts a Chromium in a window on a display. */
export async function startChromiumOnScreen(options: LaunchOptions, display: Display): Promise<BrowserOnScreen> {
  const chromium = await startChromiumUnderTest({ ...options, display: display.name });
  let hasAllowed = false;
  /** The window is in the corner of the screen, and the page at the window's end. */
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
    async chooseFromMenu(tab, point, item) {
      const keys = KEYS[item];
      if (!keys) throw new Error(`Where "${item}" stands in the menu is not known`);
      const { x, y } = await pointOf(tab, point);
      await display.openMenu(x, y);
      display.press(...keys, 'Return');
    },
    async allowPermission() {
      // A permission that was granted once is granted again without a dialog.
      if (hasAllowed) return;
      await allowPermission(display);
      hasAllowed = true;
    },
  };
}
