import type { Backend } from '../../test/e2e/harness/backend.ts';
import { until } from '../../test/e2e/harness/until.ts';
import { median } from '../figures.ts';
import type { BenchBrowser, Tab } from './browser.ts';
import { GROUP_SHOWN, LISTED, PASTE_BOX, SEND_BUTTON } from './messages-and-pages.ts';

/** Number of URLs in the list that the benchmark pastes and submits. */
export const ADDRESSES = 1_000;

export interface ManyAtOnce {
  /** Milliseconds from the click until the page shows that the list has been stored. */
  accepted: number;
  /**
   * Duration in milliseconds of the longest frame from the paste until the end of the scrolling. 0 if every frame
   * took less than 50 ms.
   */
  longestFrame: number;
}

/**
 * Pastes a list of URLs, submits it and scrolls through the page, once per round. A round starts only after all links
 * of the previous round have been created. Returns the medians of all rounds.
 */
export async function measureMany(browser: BenchBrowser, service: Backend, rounds: number): Promise<ManyAtOnce> {
  const measured: ManyAtOnce[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const made = service.links().length;
    measured.push(await measureOnce(browser, round));
    await until('every link of the list to be made', () => service.links().length >= made + ADDRESSES);
  }
  return {
    accepted: median(measured.map(({ accepted }) => accepted)),
    longestFrame: median(measured.map(({ longestFrame }) => longestFrame)),
  };
}

async function measureOnce(browser: BenchBrowser, round: number): Promise<ManyAtOnce> {
  const page = await browser.open(`chrome-extension://${browser.extensionId}/src/pages/bulk/index.html`);
  await shown(page, `${PASTE_BOX} !== null`);
  const urls = Array.from({ length: ADDRESSES }, (_, n) => `https://www.example.com/many/${round}/${n}`);
  await page.evaluate(WATCH_FRAMES);
  await page.evaluate(pasting(urls.join('\n')));
  await shown(page, `${LISTED} > 0 && ${SEND_BUTTON}`);
  await page.evaluate(SCROLL);
  const accepted = await page.evaluate<number>(`(async () => {
    const start = performance.now();
    ${SEND_BUTTON}.click();
    while (!(${GROUP_SHOWN})) await new Promise(requestAnimationFrame);
    return performance.now() - start;
  })()`);
  await page.evaluate(SCROLL);
  const longestFrame = await page.evaluate<number>('globalThis.longestFrame');
  await page.close();
  return { accepted, longestFrame };
}

function shown(page: Tab, expression: string): Promise<unknown> {
  return until(expression, () => page.evaluate<boolean>(`Boolean(${expression})`));
}

/** Script that records frames of 50 ms or more. Browsers do not report shorter frames. */
const WATCH_FRAMES = `(() => {
  globalThis.longestFrame = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.longestFrame = Math.max(globalThis.longestFrame, duration);
  }).observe({ type: 'long-animation-frame' });
})()`;

const pasting = (text: string) => `(() => {
  const data = new DataTransfer();
  data.setData('text/plain', ${JSON.stringify(text)});
  ${PASTE_BOX}.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
})()`;

const SCROLL = `(async () => {
  for (let step = 0; step <= 60; step += 1) {
    scrollTo(0, Math.sin((Math.PI * step) / 60) * document.documentElement.scrollHeight);
    await new Promise(requestAnimationFrame);
  }
})()`;
