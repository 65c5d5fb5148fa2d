import type { BrowserOnScreen, BrowserPage, Point } from './browser-under-test.ts';
import type { LaunchOptions } from './chromium.ts';
import { startChromiumUnderTest } from './chromium-under-test.ts';
import type { Display } from './display.ts';
import { allowPermission } from './permission-dialog.ts';

/** The keys to the extension's items from the menu's end: Chromium tells nobody where it shows which. */
const KEYS: Record<string, string[]> = {
  'Shorten this page': ['Up', 'Up', 'Up'],
  'Shorten link': ['Up', 'Up'],
  // The first of two, in a menu of their own.
  'Shorten selected addresses': ['Up', 'Up', 'Right'],
};

/** Starts a Chromium in a window on a display. */
export async function startChromiumOnScreen(options: LaunchOptions, display: Display): Promise<BrowserOnScreen> {
  const chromium = await startChromiumUnderTest({ ...options, display: display.name });
  let hasAllowed = false;
  /** The window stands in the corner of the screen, the page at its end. */
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
      // What was allowed once is given without a question from then on.
      if (hasAllowed) return;
      await allowPermission(display);
      hasAllowed = true;
    },
  };
}
