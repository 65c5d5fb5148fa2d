import { randomUUID } from 'node:crypto';
import { type BenchBrowser, checkedMessage, type Tab, timedMessage } from './browser.ts';
import { EMPTY_PAGE } from './extensions.ts';
import { cancelMessage, shortenMessage } from './messages-and-pages.ts';
import { byTurns, type Compared } from './rounds.ts';

export const WAITING = 1000;

/**
 * Compares the time in milliseconds to add a request to a queue with 1,000 requests and to an empty queue. Both
 * browsers must have used up their daily quota, so that no request is sent.
 */
export async function compareAccepting(full: BenchBrowser, empty: BenchBrowser, rounds: number): Promise<Compared> {
  const [fullPage, emptyPage] = await Promise.all([full, empty].map(openEmpty));
  if (!fullPage || !emptyPage) throw new Error('A page did not open');
  await fullPage.evaluate(acceptMany(WAITING));
  const compared = await byTurns(
    rounds,
    () => acceptOne(fullPage),
    () => acceptOne(emptyPage),
  );
  await Promise.all([fullPage.close(), emptyPage.close()]);
  return compared;
}

/** Submits one request and cancels it, so that the number of waiting requests stays the same. */
async function acceptOne(page: Tab): Promise<number> {
  const id = randomUUID();
  const time = await page.evaluate<number>(timedMessage(shortenMessage('https://www.example.com/one-more', id)));
  await page.evaluate(checkedMessage(cancelMessage(id)));
  return time;
}

function acceptMany(count: number): string {
  const messages = Array.from({ length: count }, (_, made) =>
    shortenMessage(`https://www.example.com/waiting/${made}`),
  );
  return `(async () => {
    for (const message of ${JSON.stringify(messages)}) {
      const reply = await chrome.runtime.sendMessage(message);
      if (!reply?.ok) throw new Error('Answered with ' + JSON.stringify(reply));
    }
  })()`;
}

const openEmpty = (browser: BenchBrowser) => browser.open(`chrome-extension://${browser.extensionId}/${EMPTY_PAGE}`);
