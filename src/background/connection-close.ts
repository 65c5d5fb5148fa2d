import browser from 'webextension-polyfill';
import type { Connection } from '../queue/types.ts';

/*
 * Browsers send a POST a second time by themselves where a kept-alive socket closes without an answer. A service that
 * knows idempotency keys answers the second as the first; any other makes two links of it. `Connection: close` on every
 * request keeps sockets from being used again (HTTP/1.1; over HTTP/2 the header means nothing).
 */

/**
 * Makes every request of the background to these connections close its socket. Session rules outlive the worker and not
 * the browser, so this is done at every start; rules of connections that are gone go.
 */
export async function closeConnectionsTo(connections: Connection[]): Promise<void> {
  const rules = browser.declarativeNetRequest;
  const origins = [...new Set(connections.map(({ baseUrl }) => new URL(baseUrl).origin))].sort();
  const present = await rules.getSessionRules();
  const before = present.map(({ condition }) => condition.urlFilter ?? '').sort();
  const wanted = origins.map((origin) => `|${origin}/`);
  if (before.length === wanted.length && before.every((filter, index) => filter === wanted[index])) return;
  await rules.updateSessionRules({
    removeRuleIds: present.map(({ id }) => id),
    addRules: wanted.map((urlFilter, index) => ({
      id: index + 1,
      action: {
        type: 'modifyHeaders' as const,
        requestHeaders: [{ header: 'Connection', operation: 'set' as const, value: 'close' }],
      },
      // Requests of no tab are the background's alone.
      condition: { urlFilter, tabIds: [-1], resourceTypes: ['xmlhttprequest' as const, 'other' as const] },
    })),
  });
}
