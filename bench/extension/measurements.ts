import type { Chromium } from '../../scripts/browsers/chromium.ts';
import { killWorker, targets } from '../../scripts/browsers/targets.ts';
import type { Message } from '../../src/messages/protocol.ts';
import type { Backend } from '../../test/e2e/harness/backend.ts';
import { openPiped, type PipedPage, pipedPage } from '../../test/e2e/harness/chromium.ts';
import type { Listening } from '../../test/e2e/harness/listen.ts';
import type { Gate } from '../../test/e2e/harness/proxies.ts';

import { until } from '../../test/e2e/harness/until.ts';
import { median } from '../figures.ts';
import { EMPTY_PAGE, openPage } from './browser.ts';

/** Medians of two measurements. The measurements alternate, so that the machine's load affects both equally. */
export interface Compared {
  one: number;
  other: number;
  ratio: number;
}

/**
 * Runs two measurements alternately. The first rounds do not count, because the code is still being compiled and the
 * caches are empty.
 */
async function byTurns(rounds: number, one: () => Promise<number>, other: () => Promise<number>): Promise<Compared> {
  const warmUp = 3;
  const measured: { one: number; other: number }[] = [];
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const pair = { one: await one(), other: await other() };
    if (round >= warmUp) measured.push(pair);
  }
  const [ones, others] = [median(measured.map((pair) => pair.one)), median(measured.map((pair) => pair.other))];
  return { one: ones, other: others, ratio: ones / others };
}

/** Expression for the time in milliseconds from navigation to the first paint with content. */
const FIRST_PAINT = `new Promise((resolve) =>
  new PerformanceObserver((list) => {
    const paint = list.getEntriesByName('first-contentful-paint')[0];
    if (paint) resolve(paint.startTime);
  }).observe({ type: 'paint', buffered: true }))`;

/**
 * Compares the time in milliseconds from navigation to first contentful paint for a page of the extension and for an
 * empty page.
 */
export function comparePaint(browser: Chromium, page: string, rounds: number): Promise<Compared> {
  const firstPaint = async (path: string) => {
    const tab = await openPage(browser, path);
    const time = await tab.evaluate<number>(FIRST_PAINT);
    await tab.close();
    return time;
  };
  return byTurns(
    rounds,
    () => firstPaint(page),
    () => firstPaint(EMPTY_PAGE),
  );
}

/**
 * Message that no background worker handles. The browser starts a stopped worker for this message, but the worker
 * sends no response.
 */
const IGNORED = { type: 'bench-nothing' };

/**
 * Compares the start times of two background workers in milliseconds. Sends each stopped worker a message that the
 * worker does not handle. Waits until the browser reports that there is no response.
 */
export async function compareColdStart(ours: Chromium, tiny: Chromium, rounds: number): Promise<Compared> {
  const [page, tinyPage] = await Promise.all([openPage(ours, EMPTY_PAGE), openPage(tiny, EMPTY_PAGE)]);
  const compared = await byTurns(
    rounds,
    async () => {
      await killWorker(ours);
      return page.evaluate<number>(timedMessage(IGNORED));
    },
    async () => {
      await killWorker(tiny);
      return tinyPage.evaluate<number>(timedMessage(IGNORED));
    },
  );
  await Promise.all([page.close(), tinyPage.close()]);
  return compared;
}

/**
 * Returns an expression that sends a message. Its value is the time in milliseconds until the message is answered or
 * fails.
 */
const timedMessage = (message: unknown): string => `(async () => {
  const start = performance.now();
  await chrome.runtime.sendMessage(${JSON.stringify(message)}).catch(() => {});
  return performance.now() - start;
})()`;

export const connectMessage = (connection: { baseUrl: string; apiKey: string }): Message => ({
  type: 'save-connection',
  connectionId: null,
  name: '',
  ...connection,
});

/** Returns an expression that is true once the links page has loaded `count` links. */
const ALL_LINKS_SHOWN = (count: number) =>
  `document.querySelector('#links-total')?.textContent === '${count.toLocaleString('en')} links'`;

const POPUP_BUTTON =
  "[...document.querySelectorAll('button')].find(({ textContent }) => textContent.includes('Shorten this page'))";

/** Expression for the text field of the bulk page. */
const PASTE_BOX = "document.querySelector('.source-text')";
/** Expression for the number of URLs that the bulk page lists. */
const LISTED = "document.querySelectorAll('.row').length";
/** JavaScript expression for the main button of the bulk page. Evaluates to undefined while the button is disabled. */
const SEND_BUTTON =
  "[...document.querySelectorAll('button')].find(({ textContent, disabled }) => /^Shorten /.test(textContent) && !disabled)";
/** Expression that is true once the queue page shows the submitted list. */
const GROUP_SHOWN = "document.querySelector('.progress ~ .is-list .row') !== null";

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
export async function clickToClipboard(
  browser: Chromium,
  gate: Gate,
  site: Listening,
  rounds: number,
): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const url = `http://news.example:${site.port}/page-${round}`;
    const page = await openPiped(browser, url);
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
async function openPopup(browser: Chromium, url: string): Promise<PipedPage> {
  const { cdp, extensionId } = browser;
  const tab = (await targets(cdp, 'tab')).find((target) => target.url === url);
  if (!tab) throw new Error(`No tab shows ${url}`);
  await cdp.send('Extensions.triggerAction', { id: extensionId, targetId: tab.targetId });
  const popup = await until('the popup', async () =>
    (await targets(cdp)).find(({ type, url }) => type === 'page' && url.includes(`${extensionId}/src/pages/popup/`)),
  );
  return pipedPage(browser, popup);
}

export const LINKS = 10_000;

/** Maximum number of links in one request. */
const BATCH = 100;

/** Creates links directly through the service's API, without the extension, until the service has `LINKS` links. */
export async function fillService(service: { baseUrl: string; apiKey: string }, made: number): Promise<void> {
  const headers = { Authorization: `Bearer ${service.apiKey}`, 'Content-Type': 'application/json' };
  for (let from = made; from < LINKS; from += BATCH) {
    const urls = Array.from({ length: Math.min(BATCH, LINKS - from) }, (_, index) => ({
      url: `https://www.example.com/articles/${from + index}?from=bench`,
      title: `Article ${from + index} of the bench, with a title of an ordinary length`,
    }));
    const response = await fetch(`${service.baseUrl}/api/v1/urls/batch`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ urls }),
    });
    if (response.status !== 207) throw new Error(`The service answered ${response.status} to a batch`);
  }
}

/**
 * Types into the search field after the links page has loaded all links. Measures the time in milliseconds from each
 * input event until the layout is finished. Returns the median.
 */
export async function timeKeystrokes(full: Chromium): Promise<number> {
  const page = await openPage(full, 'src/pages/links/index.html');
  await until('every link to be read', () => page.evaluate<boolean>(ALL_LINKS_SHOWN(LINKS)), 120_000);
  const times = await page.evaluate<number[]>(`(${typeWords})(${JSON.stringify(WORDS)})`);
  await page.close();
  return median(times);
}

const WORDS = ['article', 'bench 4711', 'ordinary 99', 'nowhere to be found'];

/**
 * Types words letter by letter and returns the time of each keystroke in milliseconds. The function is sent to the
 * page as source text, so it cannot use variables from outside its body.
 */
async function typeWords(words: string[]): Promise<number[]> {
  const field = document.querySelector<HTMLInputElement>('input[type="search"]');
  if (!field) throw new Error('There is no search');
  const times: number[] = [];
  const enter = async (text: string) => {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const start = performance.now();
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    // Waits for the page to update its DOM. The browser delivers the message only after this update.
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
    document.body.getBoundingClientRect();
    times.push(performance.now() - start);
  };
  for (const word of words) {
    for (let length = 1; length <= word.length; length += 1) await enter(word.slice(0, length));
    await enter('');
  }
  return times;
}

/** Number of URLs in the list that the benchmark pastes and submits. */
export const ADDRESSES = 1_000;

/**
 * Pastes a list of URLs and submits it, once per round. A round starts only after all links of the previous round have
 * been created. Returns the median of the milliseconds from the click until the page shows that the list is stored.
 */
export async function measureMany(browser: Chromium, service: Backend, rounds: number): Promise<number> {
  const measured: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const made = service.links().length;
    measured.push(await measureOnce(browser, round));
    await until('every link of the list to be made', () => service.links().length >= made + ADDRESSES);
  }
  return median(measured);
}

async function measureOnce(browser: Chromium, round: number): Promise<number> {
  const page = await openPage(browser, 'src/pages/bulk/index.html');
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

/** Waits until an expression is true, also while another page replaces this page. */
function shown(page: PipedPage, expression: string): Promise<unknown> {
  return until(expression, () => page.evaluate<boolean>(`Boolean(${expression})`).catch(() => false));
}

const pasting = (text: string) => `(() => {
  const data = new DataTransfer();
  data.setData('text/plain', ${JSON.stringify(text)});
  ${PASTE_BOX}.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
})()`;
