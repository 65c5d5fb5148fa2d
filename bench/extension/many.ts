import type { Backend } from '../../test/e2e/harness/backend.ts';
import { until } from '../../test/e2e/harness/until.ts';
import { median } from '../figures.ts';
import type { BenchBrowser, Tab } from './browser.ts';
import { GROUP_SHOWN, LISTED, PASTE_BOX, SEND_BUTTON } from './messages-and-pages.ts';
import { FIRST_PAINT } from './paint.ts';

/** Number of URLs in the list that the benchmark pastes and submits. */
export const ADDRESSES = 1_000;

/**
 * Pastes a list of URLs and submits it, once per round. A round starts only after all links of the previous round have
 * been created. Returns the median of the milliseconds from the click until the page shows that the list is stored.
 */
export async function measureMany(browser: BenchBrowser, service: Backend, rounds: number): Promise<number> {
  const measured: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const made = service.links().length;
    measured.push(await measureOnce(browser, round));
    await until('every link of the list to be made', () => service.links().length >= made + ADDRESSES);
  }
  return median(measured);
}

async function measureOnce(browser: BenchBrowser, round: number): Promise<number> {
  const page = await browser.open(`chrome-extension://${browser.extensionId}/src/pages/bulk/index.html`);
  await shown(page, `${PASTE_BOX} !== null`);
  const urls = Array.from({ length: ADDRESSES }, (_, n) => `https://www.example.com/many/${round}/${n}`);
  await page.evaluate(pasting(urls.join('\n')));
  await shown(page, `${LISTED} > 0 && ${SEND_BUTTON}`);
  await page.evaluate(`sessionStorage.setItem('clickedAt', String(Date.now())), ${SEND_BUTTON}.click()`);
  // The page of the list replaces this page. Its first paint shows the list.
  await shown(page, GROUP_SHOWN);
  const accepted = await page.evaluate<number>(`(async () =>
    performance.timeOrigin + (await ${FIRST_PAINT}) - Number(sessionStorage.getItem('clickedAt')))()`);
  await page.close();
  return accepted;
}

function shown(page: Tab, expression: string): Promise<unknown> {
  return until(expression, () => page.evaluate<boolean>(`Boolean(${expression})`));
}

const pasting = (text: string) => `(() => {
  const data = new DataTransfer();
  data.setData('text/plain', ${JSON.stringify(text)});
  ${PASTE_BOX}.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
})()`;
