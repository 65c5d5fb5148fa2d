import * as z from 'zod/mini';
import type { Exchange } from '../http-request-types.ts';
import {
  EXPIRED,
  foreignResult,
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
import { MAX_DELAY_SECONDS } from './capabilities.ts';
import { expandCall, isAbsent, readExpanded, reasonOf, request, shortUrlOf } from './requests-and-responses.ts';

const TAKEN = /already in use/;

/**
 * Start of the message for an internal error. The message must be checked, because a batch response has status 200
 * even if a link in the batch failed.
 */
const SERVER_ERROR = /^Something went wrong/;

const PROBLEMS: [RegExp, ProblemCode][] = [
  [/^Invalid longlink/, 'invalid_url'],
  [/^Invalid shortlink/, 'invalid_short_code'],
  [TAKEN, 'short_code_taken'],
];

const Created = z.object({ success: z.literal(true), shorturl: z.string() });

/**
 * Creates the requested links. If an earlier attempt has already created a link, the existing link counts as created.
 */
export function* createLinks({ links }: CreateRequest, context: ServiceContext): Exchange<AttemptResult> {
  const items = links.map((link) => refuseExpiry(link, context.now));
  const sent = [...links.entries()].filter(([index]) => !items[index]);
  const bodies = sent.map(([, link]) => toFields(link, context.now));
  if (bodies.length === 0) return notSentResult(items.filter((item) => item !== null));
  const isBatch = links.length > 1;
  const answer = yield request(context, 'POST', 'new', isBatch ? bodies : (bodies[0] as object));
  const { status, json } = answer;
  const answers: unknown[] = isBatch && status === 200 && Array.isArray(json) ? json : isBatch ? [] : [json];
  const isOwn = answers.length === sent.length && answers.every((one, index) => isOwnAnswer(one, sent[index]?.[1]));
  if (!isOwn) {
    const refusal = refusalOf(json, status);
    const isRefusedAsWhole = isBatch && (status === 413 || (status === 400 && refusal !== null));
    const result = refusal
      ? ownResult(
          answer,
          links.map(() => refusal),
        )
      : foreignResult(answer, links.length);
    return { ...result, refusedAsWhole: isRefusedAsWhole };
  }
  for (const [position, [index, link]] of sent.entries()) {
    items[index] = yield* readResult(answers[position], link, status, context);
  }
  return ownResult(answer, items as RequestResult[]);
}

/** Looks for a link by its code. */
export function* findLink(link: NewLink & { shortCode: string }, context: ServiceContext): Exchange<Found> {
  const { shortCode, url } = link;
  const answer = yield expandCall(context, shortCode);
  const found = readExpanded(answer, shortCode);
  if (!found) return { state: isAbsent(answer) ? 'absent' : 'unknown' };
  return isSameUrl(found.url, url) ? { state: 'found', shortUrl: shortUrlOf(shortCode, context) } : { state: 'taken' };
}

/** Converts a title to printable ASCII characters, because the server accepts no others. */
export function toNotes(title: string): string {
  const ascii = title
    .normalize('NFKD')
    .replace(/[‘’‚′]/g, "'")
    .replace(/[“”„«»″]/g, '"')
    .replace(/[‐‑‒–—―]/g, '-')
    .replace(/ß/g, 'ss')
    .replace(/[^ -~]+/g, (others) => (/^[\p{M}\p{Cf}]+$/u.test(others) ? '' : ' '))
    .replace(/ +/g, ' ')
    .trim();
  // A title in a non-Latin script would be reduced to its punctuation, so the title is dropped.
  return /[A-Za-z0-9]/.test(ascii) ? ascii : '';
}

/**
 * Returns the fields of one link for a create request. The expiry is sent as a duration from now, so its value
 * differs in each attempt.
 */
function toFields({ url, shortCode = '', title = '', expiresAt }: NewLink, now: number): object {
  const notes = toNotes(title);
  return {
    shortlink: shortCode,
    longlink: url,
    ...(notes && { notes }),
    ...(expiresAt !== undefined && { expiry_delay: secondsUntil(expiresAt, now) }),
  };
}

function secondsUntil(time: string, now: number): number {
  return Math.round((Date.parse(time) - now) / 1000);
}

/**
 * Refuses an expiry that the server would ignore or shorten. A duration of 0 would create a link that never expires.
 */
function refuseExpiry({ expiresAt }: NewLink, now: number): RequestResult | null {
  if (expiresAt === undefined) return null;
  const seconds = secondsUntil(expiresAt, now);
  if (seconds < 1) return EXPIRED;
  if (seconds <= MAX_DELAY_SECONDS) return null;
  return { kind: 'refused', code: 'expiry_too_late', message: '' };
}

/** True if the JSON is the server's result for this link: a refusal, or a short URL that ends with the link's code. */
function isOwnAnswer(json: unknown, link: NewLink | undefined): boolean {
  const shortUrl = Created.safeParse(json).data?.shorturl;
  if (shortUrl === undefined) return reasonOf(json) !== null;
  return shortUrl.endsWith(`/${link?.shortCode ?? codeIn(shortUrl)}`);
}

function codeIn(shortUrl: string): string {
  return shortUrl.slice(shortUrl.lastIndexOf('/') + 1);
}

/**
 * Converts the server's result for one link. If the code is taken, reads the existing link. An earlier attempt whose
 * response was lost may have created that link.
 */
function* readResult(json: unknown, link: NewLink, status: number, context: ServiceContext): Exchange<RequestResult> {
  const { shortCode } = link;
  const created = Created.safeParse(json).data;
  if (created) return { kind: 'created', shortUrl: shortUrlOf(shortCode ?? codeIn(created.shorturl), context) };
  const refusal = refusalOf(json, status) ?? NOT_UNDERSTOOD;
  if (!TAKEN.test(reasonOf(json) ?? '') || shortCode === undefined) return refusal;
  // Result if the link that used the code has just expired. The request is then repeated later.
  const absent: RequestResult = { kind: 'refused_for_now', code: 'busy', message: '', retryAfterSeconds: null };
  return takenResult(yield* findLink({ ...link, shortCode }, context), refusal, absent);
}

/** Returns the result for a refusal by the server, or null if the JSON is not a refusal. */
function refusalOf(json: unknown, status: number): RequestResult | null {
  const reason = reasonOf(json);
  if (reason === null) return null;
  const message = messageOf(reason);
  if (status >= 500 || SERVER_ERROR.test(reason)) return { kind: 'unclear', code: 'server_error', message };
  if (status === 401) return { kind: 'refused', code: 'unauthorized', message };
  const code = PROBLEMS.find(([pattern]) => pattern.test(reason))?.[1] ?? 'refused';
  return { kind: 'refused', code, message };
}
