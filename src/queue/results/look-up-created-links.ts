import type { Found, NewLink } from '../../servers/adapter.ts';
import { capabilitiesOf, needsCodes, needsLookUp } from '../../servers/capabilities.ts';
import { batchItemOf } from '../batch-requests.ts';
import { markUncertain, withRequests } from '../cancel-retry-pause.ts';
import { backoff } from '../retry-backoff.ts';
import type { Attempt, Connection, Link, Queue, Request } from '../types.ts';
import { type AppliedResult, codeTaken, linkOf } from './apply-result.ts';
import { wasNotDelivered } from './gateway-responses.ts';

/* Looks up the short codes of unanswered requests, to find out whether the links exist. This costs no quota. */

/** Maximum number of short codes to look up for one batch. Each short code requires a separate GET request. */
const MAX_CODES = 10;

/**
 * Maximum number of times that a look-up without a clear answer is repeated. Kutt with MySQL and thousands of links,
 * for example, never gives a clear answer.
 */
const MAX_DELAYS = 8;

/**
 * True if the short codes of a send attempt should be looked up now, because the server may have created the links.
 */
export function isLookUpDue(attempt: Attempt, { connection, requests }: Queue, now: number): boolean {
  if (!attempt.lookUpDue || attempt.inFlight || (attempt.lookUpAt ?? 0) > now) return false;
  const { find } = capabilitiesOf(connection);
  if (!find || (wasNotDelivered(attempt) && !needsLookUp(connection))) return false;
  const codes = linksToLookUp(attempt, requests).size;
  return codes > 0 && codes <= MAX_CODES;
}

/**
 * Returns the earliest time at which the extension may check whether an attempt created its links. Returns 0 if the
 * attempt can be repeated without this check.
 */
export function lookUpWait({ lookUpDue, lookUpAt = 0 }: Attempt, connection: Connection): number {
  return lookUpDue && needsLookUp(connection) ? lookUpAt : 0;
}

/** Returns the links of an attempt that have a short code, by request id. */
export function linksToLookUp({ requestIds }: Attempt, requests: Request[]): Map<string, NewLink> {
  const members = requests.filter(({ id }) => requestIds.includes(id));
  const links = members.map((request) => [request.id, batchItemOf(request)] as const);
  return new Map(links.filter(([, { shortCode }]) => shortCode !== undefined));
}

/**
 * Updates a queue after the extension has checked which links of an attempt exist. Existing links are returned, and
 * missing links are requested again. If the server repeatedly gives no clear answer, the user must decide.
 */
export function applyLookUp(
  queue: Queue,
  attemptId: string,
  found: Map<string, Found>,
  now: number,
  random: number,
): AppliedResult {
  const attempt = queue.attempts.find(({ id }) => id === attemptId);
  if (!attempt || attempt.inFlight) return { queue, links: [] };
  const { connection } = queue;
  const links: Link[] = [];
  const requests = queue.requests.flatMap((request) => {
    const result = attempt.requestIds.includes(request.id) ? found.get(request.id) : undefined;
    if (result?.state !== 'found') return [request];
    links.push(linkOf(request, result.shortUrl, now, links.length));
    return [];
  });
  const state = links.length > 0 ? { ...queue.state, failures: 0 } : queue.state;
  const [only] = attempt.requestIds.length === 1 ? attempt.requestIds : [];
  if (only !== undefined && found.get(only)?.state === 'taken' && needsCodes(connection)) {
    const failed = requests.map((request) => (request.id === only ? codeTaken(request) : request));
    return { links, queue: { ...queue, requests: failed, attempts: queue.attempts.filter((one) => one !== attempt) } };
  }
  const isUnknown = [...found.values()].some((result) => result.state === 'unknown');
  const isRepeated = isUnknown && needsLookUp(connection);
  const looked = isRepeated ? lookUpLater(attempt, now, random) : afterClearAnswer(attempt, now);
  const attempts = queue.attempts.map((one) => (one === attempt ? looked : one));
  const next = { ...queue, requests, state, attempts: withRequests(attempts, requests) };
  const isGivenUp = isRepeated && attempt.parks >= MAX_DELAYS;
  return { links, queue: isGivenUp ? markUncertain(next, [attemptId]) : next };
}

/**
 * Allows another POST for the links that do not exist. If the user started the look-up early, the server may still be
 * creating them, so they are looked up again.
 */
function afterClearAnswer(attempt: Attempt, now: number): Attempt {
  const { settledAt = 0 } = attempt;
  return settledAt > now ? { ...attempt, lookUpAt: settledAt } : { ...attempt, lookUpDue: false };
}

function lookUpLater(attempt: Attempt, now: number, random: number): Attempt {
  const parks = attempt.parks + 1;
  return { ...attempt, parks, lookUpAt: now + backoff(parks, random) };
}
