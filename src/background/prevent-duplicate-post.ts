import browser from '../browser/browser.ts';

/*
 * Browsers repeat a POST if a kept-alive socket closes without a response. Without idempotency, a service would create
 * two links. `Connection: close` on every request keeps sockets from being reused. This works for HTTP/1.1 only.
 */

/** Origins for which this worker has added a rule. Session rules outlive the worker, but not the browser. */
const closed = new Set<string>();
let last: Promise<void> = Promise.resolve();

/** Makes every request of the background to this address close its socket. Resolves once the rule is active. */
export function disableKeepAlive(baseUrl: string): Promise<void> {
  const { origin } = new URL(baseUrl);
  if (closed.has(origin)) return Promise.resolve();
  // Rules are read and then written, so two additions must not overlap.
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
        // Only the background sends requests that belong to no tab.
        condition: { urlFilter, tabIds: [-1], resourceTypes: ['xmlhttprequest', 'other'] },
      },
    ],
  });
}
