import type { BrowserOnScreen, BrowserPage, Point } from './browser-under-test.ts';
import type { LaunchOptions } from './chromium.ts';
import { startChromiumUnderTest } from './chromium-under-test.ts';
import type { Display } from './display.ts';
import { allowPermission } from './permission-dialog.ts';

/** How many keys up from the menu's end the extension's item is: Chromium tells nobody where it shows which. */
const KEYS_UP: Record<string, number> = { 'Shorten this page': 3, 'Shorten link': 2 };

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
      const up = KEYS_UP[item];
      if (!up) throw new Error(`Where "${item}" stands in the menu is not known`);
      const { x, y } = await pointOf(tab, point);
      await display.openMenu(x, y);
      display.press(...Array(up).fill('Up'), 'Return');
    },
    async allowPermission() {
      // What was allowed once is given without a question from then on.
      if (hasAllowed) return;
      await allowPermission(display);
      hasAllowed = true;
    },
  };
}
