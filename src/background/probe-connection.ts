import browser from '../browser/browser.ts';
import type { Connection } from '../queue/types.ts';
import type { Probe, ProbeResult, ServiceKind } from '../servers/adapter.ts';
import { type CallableService, detectKind, openServer, probeResult, probeServer } from '../servers/call-server.ts';
import { isIdempotent } from '../servers/capabilities.ts';
import type { Fetch } from '../servers/http.ts';
import type { Target } from './queue-runner.ts';

/**
 * Probes the server of a queue. First detects the kind of server if no earlier probe recognized the server, for example
 * because a gateway had responded instead of the server.
 */
export async function probeConnection(fetch: Fetch, { connection, apiKey, now }: Target): Promise<ProbeResult> {
  const found = await findAndProbe(fetch, connection, apiKey, now);
  if (!found) return null;
  const { probe, kind } = found;
  const result = probeResult(probe);
  return result && kind && kind !== connection.kind ? { ...result, kind } : result;
}

type Found = Pick<Connection, 'lastSeenWellAt'> & CallableService;

export interface FoundServer {
  probe: Probe;
  /** Kind of server. Undefined if no third-party server, such as YOURLS, was detected. */
  kind: ServiceKind | undefined;
}

/**
 * Probes a server. If the kind of server is unknown, first detects the kind. Unless the server supports idempotency
 * keys, the browser closes the network connection after each of these requests and all later ones.
 *
 * @returns null if the browser cannot do this. The server was then not called.
 */
export async function findAndProbe(
  fetch: Fetch,
  connection: Found,
  apiKey: string,
  now: number,
): Promise<FoundServer | null> {
  const { kind: known, service, lastSeenWellAt, baseUrl } = connection;
  const wasIdempotent = isIdempotent(connection);
  if (!wasIdempotent && !(await closeNetworkConnections(baseUrl))) return null;
  const isKnown = known !== undefined || service !== null || lastSeenWellAt !== null;
  const detected = isKnown ? known : await detectKind(fetch, baseUrl, now);
  const kind = detected ?? undefined;
  const target = kind ? { ...connection, kind } : connection;
  const probe = await probeServer(openServer(fetch, target, apiKey, now));
  const current = { ...target, service: (probe.reached && probe.service) || service };
  // A server that lost this feature is probed again, so that no later request reuses the network connection.
  if (wasIdempotent && !isIdempotent(current)) return findAndProbe(fetch, current, apiKey, now);
  return { probe, kind };
}

/*
 * If a reused network connection closes without a response to a POST request, browsers send the request again. If the
 * server does not support idempotency keys, the repeated request creates a second link. With `Connection: close` on
 * every request, the browser never reuses a network connection. This works only in HTTP/1.1.
 */

const { declarativeNetRequest } = browser;

/**
 * Makes the browser close the network connection after each request of the extension to this server. The browser stores
 * the rule. The next background worker removes it if no server with this origin needs it. Returns false if the browser
 * refuses the rule.
 */
export function closeNetworkConnections(baseUrl: string): Promise<boolean> {
  const rule = ruleFor(baseUrl);
  return declarativeNetRequest.updateDynamicRules({ removeRuleIds: [rule.id], addRules: [rule] }).then(
    () => true,
    () => false,
  );
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
