import type { BrowserOnScreen, Point } from '../browser-under-test.ts';
import type { Display } from '../display.ts';
import { until } from '../until.ts';
import { type FirefoxOptions, launchFirefox } from './firefox.ts';
import type { FirefoxPage } from './page.ts';

const ALLOW = "document.getElementById('addon-webext-permissions-notification')?.button";
const MENU = "document.getElementById('contentAreaContextMenu')";

export async function launchFirefoxOnScreen(options: FirefoxOptions, display: Display): Promise<BrowserOnScreen> {
  const firefox = await launchFirefox({ ...options, display: display.name, asksForPermissions: true });

  /**
   * Returns the screen coordinates of an element's center in Firefox's own window, or null if the element is hidden.
   */
  async function middleOf(element: string): Promise<Point | null> {
    const place = await firefox.inBrowser<string | null>(`(() => {
      const { left, top, width, height } = (${element})?.getBoundingClientRect() ?? { width: 0 };
      return width ? JSON.stringify({ x: mozInnerScreenX + left + width / 2, y: mozInnerScreenY + top + height / 2 }) : null;
    })()`);
    return place ? JSON.parse(place) : null;
  }

  async function pointOf(tab: FirefoxPage, { x, y }: Point): Promise<Point> {
    const place = await tab.evaluate('({ x: mozInnerScreenX, y: mozInnerScreenY })');
    const { x: left, y: top } = place as Point;
    return { x: left + x, y: top + y };
  }

  return {
    ...firefox,
    display,
    async clickOn(tab, point) {
      await tab.bringToFront();
      const { x, y } = await pointOf(tab as FirefoxPage, point);
      display.click(x, y);
    },
    async chooseFromMenu(tab, point, item) {
      await tab.bringToFront();
      const { x, y } = await pointOf(tab as FirefoxPage, point);
      await display.openMenu(x, y);
      const entry = `[...${MENU}.querySelectorAll('menuitem')].find(({ label }) => label === ${JSON.stringify(item)})`;
      // If the extension has several menu items, Firefox groups them in a submenu.
      const around = await middleOf(`${entry}?.closest('menu')`);
      if (around) display.click(around.x, around.y);
      const place = await until(`"${item}" in the menu`, () => middleOf(entry));
      display.click(place.x, place.y);
    },
    async allowPermission() {
      await until('the permission dialog', () => middleOf(ALLOW));
      // Retries the click, because the dialog ignores clicks in its first moments.
      await until('the permission dialog to close', async () => {
        const place = await middleOf(ALLOW);
        if (place) display.click(place.x, place.y);
        return place === null;
      });
    },
  };
}
