import { targets } from '../../scripts/browsers/targets.ts';
import type { Gate } from '../../test/e2e/harness/proxies.ts';
import type { Site } from '../../test/e2e/harness/site.ts';
import { until } from '../../test/e2e/harness/until.ts';
import { median } from '../figures.ts';
import { type BenchBrowser, type Tab, tabOf } from './browser.ts';
import { POPUP_BUTTON } from './messages-and-pages.ts';

const WATCH_CLIPBOARD = `(() => {
  const write = navigator.clipboard.writeText.bind(navigator.clipboard);
  navigator.clipboard.writeText = async (text) => {
    await write(text);
    globalThis.copiedAt = performance.now();
  };
})()`;

const CLICK = `(() => {
  globalThis.clickedAt = performance.now();
  (${POPUP_BUTTON}).click();
})()`;

/**
 * Measures the time from the click on the popup's button until the short URL is on the clipboard, minus the service's
 * response time. Returns the median in milliseconds. Each round shortens a different page.
 */
export async function clickToClipboard(browser: BenchBrowser, gate: Gate, site: Site, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const url = `http://news.example:${site.port}/page-${round}`;
    const page = await browser.open(url);
    const popup = await openPopup(browser, url);
    await until('the popup to be ready', () => popup.evaluate<boolean>(`${POPUP_BUTTON} !== undefined`));
    await popup.evaluate(WATCH_CLIPBOARD);
    await popup.evaluate(CLICK);
    const time = await until('the clipboard', () =>
      popup.evaluate<number>('(copiedAt - clickedAt) || 0').catch(() => 0),
    );
    times.push(time - (gate.roundTrips.at(-1) ?? 0));
    await popup.close();
    await page.close();
  }
  return median(times);
}

/** Clicks the extension's toolbar button for the tab that shows `url`. Returns the popup. */
async function openPopup(browser: BenchBrowser, url: string): Promise<Tab> {
  const { cdp, extensionId } = browser;
  const tab = (await targets(cdp, 'tab')).find((target) => target.url === url);
  if (!tab) throw new Error(`No tab shows ${url}`);
  await cdp.send('Extensions.triggerAction', { id: extensionId, targetId: tab.targetId });
  const popup = await until('the popup', async () =>
    (await targets(cdp)).find(({ type, url }) => type === 'page' && url.includes(`${extensionId}/src/pages/popup/`)),
  );
  return tabOf(browser, popup);
}
