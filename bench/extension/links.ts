import { until } from '../../test/e2e/harness/until.ts';
import { median, percentile } from '../figures.ts';
import type { BenchBrowser } from './browser.ts';
import { ALL_LINKS_SHOWN, LINKS_SHOWN, NO_LINKS_SHOWN } from './messages-and-pages.ts';
import { byTurns, type Compared } from './rounds.ts';

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
 * Compares the time in milliseconds from navigation until the links page first shows its list, with ten thousand
 * cached links and with none.
 */
export function compareLinksPage(full: BenchBrowser, empty: BenchBrowser, rounds: number): Promise<Compared> {
  return byTurns(
    rounds,
    () => timeUntil(full, LINKS_SHOWN),
    () => timeUntil(empty, NO_LINKS_SHOWN),
  );
}

/**
 * Types into the search field after the links page has loaded all links. Measures the time in milliseconds from each
 * input event until the layout is finished. Returns the median and the 95th percentile.
 */
export async function timeKeystrokes(full: BenchBrowser): Promise<{ middle: number; most: number }> {
  const page = await full.open(`chrome-extension://${full.extensionId}/src/pages/links/index.html`);
  await until('every link to be read', () => page.evaluate<boolean>(ALL_LINKS_SHOWN(LINKS)), 120_000);
  const times = await page.evaluate<number[]>(`(${typeWords})(${JSON.stringify(WORDS)})`);
  await page.close();
  return { middle: median(times), most: percentile(times, 95) };
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

async function timeUntil(browser: BenchBrowser, isShown: string): Promise<number> {
  const { cdp, extensionId } = browser;
  const { targetId } = await cdp.send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await cdp.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
  const send = <T>(method: string, params: object = {}) => cdp.send<T>(method, params, sessionId);
  await send('Page.enable');
  // Checks the page in every painted frame and records the time of the first frame that shows the list.
  const source = `globalThis.shown = new Promise((resolve) => {
    const ask = () => ((${isShown}) ? resolve(performance.now()) : requestAnimationFrame(ask));
    requestAnimationFrame(ask);
  })`;
  await send('Page.addScriptToEvaluateOnNewDocument', { source });
  await send('Page.navigate', { url: `chrome-extension://${extensionId}/src/pages/links/index.html` });
  const { result } = await send<{ result: { value: number } }>('Runtime.evaluate', {
    expression: 'globalThis.shown',
    awaitPromise: true,
    returnByValue: true,
  });
  await cdp.send('Target.closeTarget', { targetId });
  return result.value;
}
