import browser from '../browser/browser.ts';

/*
 * If a reused network connection closes without a response to a POST request, browsers send the request again. If the
 * service does not support idempotency keys, the repeated request creates a second link. With `Connection: close` on
 * every request, the browser never reuses a network connection. This works only in HTTP/1.1.
 */

/** Origins for which `addRule` has succeeded in this background worker. */
const closed = new Set<string>();
let last: Promise<void> = Promise.resolve();

/**
 * Makes the browser close the network connection after each request from the background worker to this address.
 * Resolves once the rule is active.
 */
export function disableKeepAlive(baseUrl: string): Promise<void> {
  const { origin } = new URL(baseUrl);
  if (closed.has(origin)) return Promise.resolve();
  // Adding a rule starts by reading the existing rules, so two additions must not overlap.
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
        // `-1` selects requests that belong to no tab. Only the background worker sends such requests.
        condition: { urlFilter, tabIds: [-1], resourceTypes: ['xmlhttprequest', 'other'] },
      },
    ],
  });
}
