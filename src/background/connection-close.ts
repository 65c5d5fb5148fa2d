import browser from '../browser/browser.ts';
import { hostPattern } from '../browser/host-permissions.ts';

/*
 * If a reused network connection closes without a response to a POST request, browsers send the request again. If the
 * server does not support idempotency keys, the repeated request creates a second link. With `Connection: close` on
 * every request, the browser never reuses a network connection. This works only in HTTP/1.1.
 */

const { declarativeNetRequest } = browser;
let last: Promise<unknown> = Promise.resolve();

/**
 * Makes the browser close the network connection after each request of the extension to this server, or makes the
 * browser reuse it again. The browser stores the rule, so later background workers need not set it.
 */
export function setConnectionClose(baseUrl: string, isOn: boolean): Promise<void> {
  const { origin } = new URL(baseUrl);
  return changeRules((rules) => {
    const ids = rules.filter(({ condition }) => condition.urlFilter === filterFor(origin)).map(({ id }) => id);
    if (ids.length > 0 === isOn) return {};
    const id = Math.max(0, ...rules.map((rule) => rule.id)) + 1;
    return isOn ? { addRules: [ruleFor(origin, id)] } : { removeRuleIds: ids };
  });
}

/**
 * Resolves when the browser applies the stored rules. For some seconds after its start, Chromium sends requests without
 * them. It changes rules only after it has loaded them, so this function replaces each rule by an equal one.
 */
export function rulesApplied(): Promise<void> {
  return changeRules((rules) =>
    rules.length > 0 ? { removeRuleIds: rules.map(({ id }) => id), addRules: rules } : {},
  );
}

/** Removes the rules for servers that the extension can no longer access, so that their addresses are not kept. */
export function removeUnusedRules(): Promise<void> {
  return changeRules(async (rules) => {
    const unused = rules.map(async ({ id, condition: { urlFilter = '' } }) => {
      const isUsed = await browser.permissions.contains({ origins: [hostPattern(urlFilter.slice(1))] });
      return isUsed ? [] : [id];
    });
    return { removeRuleIds: (await Promise.all(unused)).flat() };
  });
}

type Rules = Awaited<ReturnType<typeof declarativeNetRequest.getDynamicRules>>;
type Change = { addRules?: Rules; removeRuleIds?: number[] };

/** Changes the rules one change at a time, because each change depends on the existing rules. */
function changeRules(decide: (rules: Rules) => Change | Promise<Change>): Promise<void> {
  const changed = last.then(async () => {
    const change = await decide(await declarativeNetRequest.getDynamicRules());
    if (change.addRules || change.removeRuleIds?.length) await declarativeNetRequest.updateDynamicRules(change);
  });
  last = changed.catch(() => undefined);
  return changed;
}

function filterFor(origin: string): string {
  return `|${origin}/`;
}

function ruleFor(origin: string, id: number) {
  return {
    id,
    action: {
      type: 'modifyHeaders' as const,
      requestHeaders: [{ header: 'Connection', operation: 'set' as const, value: 'close' }],
    },
    // Only requests of the extension itself. Requests of web pages are unchanged.
    condition: {
      urlFilter: filterFor(origin),
      initiatorDomains: [new URL(browser.runtime.getURL('')).hostname],
      resourceTypes: ['xmlhttprequest' as const, 'other' as const],
    },
  };
}
