import { until } from '../../test/e2e/harness/until.ts';
import { median } from '../figures.ts';
import type { BenchBrowser } from './browser.ts';
import { ALL_LINKS_SHOWN } from './messages-and-pages.ts';

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
export async function timeKeystrokes(full: BenchBrowser): Promise<number> {
  const page = await full.open(`chrome-extension://${full.extensionId}/src/pages/links/index.html`);
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
