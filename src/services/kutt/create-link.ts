import type { Exchange, HttpAnswer } from '../http-request-types.ts';
import {
  EXPIRED,
  foreignResult,
  isExpired,
  isSameUrl,
  messageOf,
  NOT_UNDERSTOOD,
  notSentResult,
  ownResult,
  takenResult,
} from '../response-to-result.ts';
import type {
  AttemptResult,
  CreateRequest,
  Found,
  NewLink,
  ProblemCode,
  RequestResult,
  ServiceContext,
} from '../service-adapter.ts';
import { MAX_TITLE_LENGTH } from './capabilities.ts';
import { domainOf, errorOf, isOnContextDomain, readLink, request, searchCode } from './requests-and-responses.ts';

/**
 * Patterns for Kutt's error messages, because Kutt has no error codes. Kutt sends the first of these messages with
 * status 500.
 */
const PROBLEMS: [RegExp, ProblemCode][] = [
  [/^Custom URL is already in use/, 'short_code_taken'],
  [/^(Custom URL|You can't use this custom URL)/, 'invalid_short_code'],
  [/^(URL is not valid|Target is missing|Maximum URL length)/, 'invalid_url'],
  [/URLs are not allowed\.$|^Domain is banned|malware/, 'target_refused'],
  [/^Unauthorized/, 'unauthorized'],
  [/^(You're banned|Your email address is not verified)/, 'forbidden'],
];

/** Creates the requested link. Before the request is repeated, `findLink` must show that the link does not exist. */
export function* createLink({ links }: CreateRequest, context: ServiceContext): Exchange<AttemptResult> {
  const [link] = links;
  if (!link) return notSentResult([]);
  if (isExpired(link, context.now)) return notSentResult([EXPIRED]);
  const answer = yield request(context, 'POST', 'links', toFields(link, context));
  if (errorOf(answer) !== null) return ownResult(answer, [yield* readRefusal(answer, link, context)]);
  const created = answer.status === 201 ? readLink(answer.json) : null;
  if (!created) return foreignResult(answer, 1);
  // A link with a different code or URL is not the requested link.
  const isAsked = created.address === link.shortCode && isSameUrl(created.target, link.url);
  return ownResult(answer, [isAsked ? { kind: 'created', shortUrl: created.link } : NOT_UNDERSTOOD]);
}

/** Looks for a link among the user's links. Other users' links are not visible. */
export function* findLink(link: NewLink & { shortCode: string }, context: ServiceContext): Exchange<Found> {
  const result = yield* searchCode(link.shortCode, isOnContextDomain(context), context);
  if (!('value' in result)) return { state: 'unknown' };
  const own = result.value.find(({ target }) => isSameUrl(target, link.url));
  if (own) return { state: 'found', shortUrl: own.link };
  return { state: result.value.length > 0 ? 'taken' : 'absent' };
}

/**
 * Returns the time until the expiry in milliseconds, as text. Kutt requires a duration, so the value is computed
 * again for each send.
 */
export function toDuration(expiresAt: string, now: number): string {
  return String(Math.max(Date.parse(expiresAt) - now, 1));
}

function toFields({ url, shortCode, title, expiresAt }: NewLink, context: ServiceContext): object {
  const domain = domainOf(context);
  return {
    target: url,
    ...(shortCode !== undefined && { customurl: shortCode }),
    ...(title && { description: title.slice(0, MAX_TITLE_LENGTH) }),
    ...(expiresAt !== undefined && { expire_in: toDuration(expiresAt, context.now) }),
    ...(domain !== null && { domain }),
  };
}

/**
 * Returns the result of a request that Kutt refused. If the code is taken, reads the existing link, because an
 * earlier attempt may have created it.
 */
function* readRefusal(answer: HttpAnswer, link: NewLink, context: ServiceContext): Exchange<RequestResult> {
  const refusal = refusalOf(answer);
  const { shortCode } = link;
  const isTaken = refusal.kind === 'refused' && refusal.code === 'short_code_taken';
  if (!isTaken || shortCode === undefined) return refusal;
  return takenResult(yield* findLink({ ...link, shortCode }, context), refusal);
}

function refusalOf(answer: HttpAnswer): RequestResult {
  const { status, retryAfterSeconds } = answer;
  const message = messageOf(errorOf(answer));
  if (status === 429) return { kind: 'refused_for_now', code: 'throttled', message, retryAfterSeconds };
  const known = PROBLEMS.find(([pattern]) => pattern.test(message));
  if (known) return { kind: 'refused', code: known[1], message };
  // Kutt may have stored the link before the error occurred.
  if (status >= 500) return { kind: 'unclear', code: 'server_error', message };
  return { kind: 'refused', code: 'refused', message };
}
