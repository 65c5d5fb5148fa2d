import browser from '../browser/browser.ts';

/*
 * Browsers repeat a POST request if a reused network connection closes without a response. If the service does not
 * support idempotency keys, the repeated request creates a second link. With `Connection: close` on every request,
 * the browser never reuses a network connection. This works only in HTTP/1.1.
 */

/**
 * Origins for which this background worker has added a rule. The browser keeps such rules until it closes, so rules
 * may outlive the worker.
 */
const closed = new Set<string>();
let last: Promise<void> = Promise.resolve();

/**
 * Makes the browser close the network connection after each request from the background worker to this address.
 * Resolves once the rule is active.
 */
export function disableKeepAlive(baseUrl: string): Promise<void> {
  const { origin } = new URL(baseUrl);
  if (closed.has(origin)) return Promise.resolve();
  // Adding a rule first reads the existing rules, so two additions must not overlap.
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
        // `-1` selects requests without a tab, which only the background worker sends.
        condition: { urlFilter, tabIds: [-1], resourceTypes: ['xmlhttprequest', 'other'] },
      },
    ],
  });
}
