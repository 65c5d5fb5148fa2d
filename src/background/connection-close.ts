import browser from '../browser/browser.ts';

/*
 * If a reused network connection closes without a response to a POST request, browsers send the request again. If the
 * server does not support idempotency keys, the repeated request creates a second link. With `Connection: close` on
 * every request, the browser never reuses a network connection. This works only in HTTP/1.1.
 */

const { declarativeNetRequest } = browser;

/**
 * Makes the browser close the network connection after each request of the extension to this server, or makes the
 * browser reuse it again. The browser stores the rule.
 */
export function setConnectionClose(baseUrl: string, isOn: boolean): Promise<void> {
  const rule = ruleFor(baseUrl);
  return declarativeNetRequest.updateDynamicRules({ removeRuleIds: [rule.id], addRules: isOn ? [rule] : [] });
}

/**
 * Replaces all rules by those for these servers, and resolves when the browser applies them. For some seconds after its
 * start, Chromium sends requests without the stored rules. It changes rules only after it has loaded them.
 */
export async function resetRules(baseUrls: string[]): Promise<void> {
  const removeRuleIds = (await declarativeNetRequest.getDynamicRules()).map(({ id }) => id);
  const addRules = [...new Map(baseUrls.map(ruleFor).map((rule) => [rule.id, rule])).values()];
  if (removeRuleIds.length + addRules.length === 0) return;
  await declarativeNetRequest.updateDynamicRules({ removeRuleIds, addRules });
}

function ruleFor(baseUrl: string) {
  const { origin } = new URL(baseUrl);
  return {
    id: idOf(origin),
    action: {
      type: 'modifyHeaders' as const,
      requestHeaders: [{ header: 'Connection', operation: 'set' as const, value: 'close' }],
    },
    // Only requests of the extension itself. Requests of web pages are unchanged.
    condition: {
      urlFilter: `|${origin}/`,
      initiatorDomains: [new URL(browser.runtime.getURL('')).hostname],
      resourceTypes: ['xmlhttprequest' as const, 'other' as const],
    },
  };
}

/** Returns a hash of the origin, so that a server never has two rules. Ids are positive 31-bit numbers. */
function idOf(origin: string): number {
  const hash = [...origin].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 2 ** 30, 0);
  return hash + 1;
}
