import browser from '../browser/browser.ts';

/*
 * Browsers send a POST a second time by themselves where a kept-alive socket closes without an answer. A service that
 * knows idempotency keys answers the second as the first; any other makes two links of it. `Connection: close` on every
 * request keeps sockets from being used again (HTTP/1.1; over HTTP/2 the header means nothing).
 */

/** Origins that have their rule, as far as this worker knows. Session rules outlive the worker and not the browser. */
const closed = new Set<string>();
let last: Promise<void> = Promise.resolve();

/** Makes every request that the background sends to this address close its socket. Resolves once the rule is in force. */
export function disableKeepAlive(baseUrl: string): Promise<void> {
  const { origin } = new URL(baseUrl);
  if (closed.has(origin)) return Promise.resolve();
  // One after the other: the rules are read, and then written.
  const added = last.then(() => addRule(origin));
  last = added.catch(() => undefined);
  return added.then(() => void closed.add(origin));
}

async function addRule(origin: string): Promise<void> {
  const urlFilter = `|${origin}/`;
  const present = await browser.declarativeNetRequest.getSessionRules();
  if (present.some(({ condition }) => condition.urlFilter === urlFilter)) return;
  await browser.declarativeNetRequest.updateSessionRules({
    addRules: [
      {
        id: Math.max(0, ...present.map(({ id }) => id)) + 1,
        action: {
          type: 'modifyHeaders',
          requestHeaders: [{ header: 'Connection', operation: 'set', value: 'close' }],
        },
        // Requests of no tab are the background's alone.
        condition: { urlFilter, tabIds: [-1], resourceTypes: ['xmlhttprequest', 'other'] },
      },
    ],
  });
}
