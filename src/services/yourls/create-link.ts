import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import type { Exchange, HttpAnswer } from '../http-request-types.ts';
import { foreignResult, isSameUrl, notSentResult, ownResult, takenResult } from '../response-to-result.ts';
import type {
  AttemptResult,
  CreateRequest,
  Found,
  NewLink,
  ProblemCode,
  RequestResult,
  ServiceContext,
} from '../service-adapter.ts';
import { CODE_RULES } from './capabilities.ts';
import { expand, readFailure, request, type YourlsFailure } from './requests-and-responses.ts';

/**
 * Minimum time between two create requests from the same IP address, in seconds. It applies only to public servers.
 */
const FLOOD_DELAY_SECONDS = 15;

/** Characters that YOURLS removes from URLs without an error. The link would then lead to another page. */
const DROPPED = /[{}^`\\]/g;

/** Matches an empty query (`?`) or an empty fragment (`#`). YOURLS removes both from URLs. */
const EMPTY_PARTS = /(?<=^[^?#]*)\?(?=#|$)|(?<=^[^#]*)#$/g;

/** Response to a create request. It contains the new link, or the existing link for the same URL. */
const Link = z.object({ shorturl: ShortUrl, url: z.object({ keyword: z.string(), url: z.string() }) });

const PROBLEMS = new Map<string, ProblemCode>([
  ['error:nourl', 'invalid_url'],
  ['error:noloop', 'target_refused'],
]);

/**
 * Creates the requested link. If an earlier attempt has already created the link, the existing link counts as
 * created.
 */
export function* createLink({ links }: CreateRequest, context: ServiceContext): Exchange<AttemptResult> {
  const [link] = links;
  if (!link) throw new RangeError('An attempt has a link.');
  // YOURLS would remove all invalid characters and create a link with a different code.
  if (link.shortCode !== undefined && !CODE_RULES.pattern.test(link.shortCode))
    return notSentResult([{ kind: 'refused', code: 'invalid_short_code', message: '' }]);
  const answer = yield request(context, 'shorturl', {
    url: toSentUrl(link.url),
    // If there is no title, the server first opens the page to read one, which takes seconds.
    title: link.title || URL.parse(link.url)?.host || link.url,
    ...(link.shortCode !== undefined && { keyword: link.shortCode }),
  });
  if (answer.status === 429) return ownResult(answer, [tooFast(answer)]);
  const failure = readFailure(answer);
  const made = Link.safeParse(answer.json).data;
  const isMade = made && (failure ? failure.code === 'error:url' : answer.status === 200);
  if (isMade) return ownResult(answer, [resultOf(made, link)]);
  return failure ? ownResult(answer, [yield* readRefusal(failure, link, context)]) : foreignResult(answer, 1);
}

/** Looks for a link by its short code among the links of all users. */
export function* findLink(link: NewLink & { shortCode: string }, context: ServiceContext): Exchange<Found> {
  const found = yield* expand(link.shortCode, context);
  if ('failed' in found) return { state: 'unknown' };
  if (!found.link) return { state: 'absent' };
  const { shorturl, longurl } = found.link;
  return isSameUrl(longurl, toSentUrl(link.url)) ? { state: 'found', shortUrl: shorturl } : { state: 'taken' };
}

/** Returns a URL that leads to the same page and that YOURLS stores unchanged. */
export function toSentUrl(url: string): string {
  const encode = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  const { href = url } = URL.parse(url) ?? {};
  return href.replace(EMPTY_PARTS, '').replace(DROPPED, encode);
}

/**
 * Returns the result for a created link. If YOURLS changed the URL, the link leads to another page and does not count
 * as created.
 */
function resultOf({ shorturl, url }: z.infer<typeof Link>, link: NewLink): RequestResult {
  if (isSameUrl(url.url, toSentUrl(link.url))) return { kind: 'created', shortUrl: shorturl };
  return { kind: 'refused', code: 'target_refused', message: '' };
}

function* readRefusal(failure: YourlsFailure, link: NewLink, context: ServiceContext): Exchange<RequestResult> {
  const { code, message, status } = failure;
  const known = PROBLEMS.get(code);
  if (known) return { kind: 'refused', code: known, message };
  if (code === 'error:concurrency' && message.includes('Data too long'))
    return { kind: 'refused', code: message.includes("'keyword'") ? 'invalid_short_code' : 'invalid_url', message };
  // An earlier request for the same link may already have used the short code.
  if (code === 'error:keyword' || code === 'error:concurrency') return yield* readTaken(failure, link, context);
  if (code === '' && status === 403) return { kind: 'refused', code: 'unauthorized', message };
  if (code === 'error:db' || status >= 500) return { kind: 'unclear', code: 'server_error', message };
  return { kind: 'refused', code: 'refused', message };
}

function* readTaken({ code, message }: YourlsFailure, link: NewLink, context: ServiceContext): Exchange<RequestResult> {
  const { shortCode } = link;
  const taken: RequestResult = { kind: 'refused', code: 'short_code_taken', message };
  if (shortCode === undefined) return taken;
  const found = yield* findLink({ ...link, shortCode }, context);
  // If no link has the code, `error:keyword` means that the code is reserved. `error:concurrency` means that the
  // database failed.
  const absent: RequestResult =
    code === 'error:concurrency' ? { kind: 'unclear', code: 'server_error', message } : taken;
  return takenResult(found, taken, absent);
}

function tooFast({ retryAfterSeconds }: HttpAnswer): RequestResult {
  const wait = retryAfterSeconds ?? FLOOD_DELAY_SECONDS;
  return { kind: 'refused_for_now', code: 'throttled', message: '', retryAfterSeconds: wait };
}
