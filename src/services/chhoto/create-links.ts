import * as z from 'zod/mini';
import type { Exchange } from '../http-exchange.ts';
import { foreignResult, isSameUrl, messageOf, NOT_REPORTED, NOT_UNDERSTOOD, ownResult } from '../read-answer.ts';
import type {
  AttemptResult,
  CreateRequest,
  Found,
  NewLink,
  ProblemCode,
  RequestResult,
  ServiceContext,
} from '../service-adapter.ts';
import { expandCall, isAbsent, readExpanded, reasonOf, request, shortUrlOf } from './answers.ts';
import { MAX_DELAY_SECONDS } from './capabilities.ts';

const TAKEN = /already in use/;

/** Error of the server in the result of a link in a batch, whose status is always 200. */
const SERVER_ERROR = /^Something went wrong/;

const PROBLEMS: [RegExp, ProblemCode][] = [
  [/^Invalid longlink/, 'invalid_url'],
  [/^Invalid shortlink/, 'invalid_short_code'],
  [TAKEN, 'short_code_taken'],
];

const Created = z.object({ success: z.literal(true), shorturl: z.string() });

/** Creates the links of an attempt. Links that an earlier send of the attempt created count as created. */
export function* createLinks({ links }: CreateRequest, context: ServiceContext): Exchange<AttemptResult> {
  const items = links.map((link) => refuseExpiry(link, context.now));
  const sent = [...links.entries()].filter(([index]) => !items[index]);
  const bodies = sent.map(([, link]) => toFields(link, context.now));
  if (bodies.length === 0) return withoutRequest(items);
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

/** Returns the title with which the server stores a link. It accepts only printable ASCII characters. */
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
  // A title in another script would leave only its punctuation.
  return /[A-Za-z0-9]/.test(ascii) ? ascii : '';
}

/** Returns the fields of one link in a create. The expiry is a time from now, so it differs in every attempt. */
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

/** Refuses expiries that the server would ignore or shorten. A time from now of 0 means that a link never expires. */
function refuseExpiry({ expiresAt }: NewLink, now: number): RequestResult | null {
  if (expiresAt === undefined) return null;
  const seconds = secondsUntil(expiresAt, now);
  if (seconds < 1) return { kind: 'refused', code: 'expired', message: '' };
  if (seconds <= MAX_DELAY_SECONDS) return null;
  return { kind: 'refused', code: 'expiry_too_late', message: '' };
}

/** Result of an attempt whose links were all refused before sending. */
function withoutRequest(items: (RequestResult | null)[]): AttemptResult {
  const refused = items.filter((item) => item !== null);
  return { ...NOT_REPORTED, items: refused, conclusive: true, answered: false, refusedAsWhole: false };
}

/** True if the JSON is the server's result for a link: a short URL that ends with the code of the link, or a refusal. */
function isOwnAnswer(json: unknown, link: NewLink | undefined): boolean {
  const shortUrl = Created.safeParse(json).data?.shorturl;
  if (shortUrl === undefined) return reasonOf(json) !== null;
  return shortUrl.endsWith(`/${link?.shortCode ?? codeIn(shortUrl)}`);
}

function codeIn(shortUrl: string): string {
  return shortUrl.slice(shortUrl.lastIndexOf('/') + 1);
}

/** Returns the result of one link. If its code is taken, the link with this code may be from an earlier send. */
function* readResult(json: unknown, link: NewLink, status: number, context: ServiceContext): Exchange<RequestResult> {
  const { shortCode } = link;
  const created = Created.safeParse(json).data;
  if (created) return { kind: 'created', shortUrl: shortUrlOf(shortCode ?? codeIn(created.shorturl), context) };
  const refusal = refusalOf(json, status) ?? NOT_UNDERSTOOD;
  if (!TAKEN.test(reasonOf(json) ?? '') || shortCode === undefined) return refusal;
  const found = yield* findLink({ ...link, shortCode }, context);
  if (found.state === 'found') return { kind: 'created', shortUrl: found.shortUrl };
  if (found.state === 'taken') return refusal;
  if (found.state === 'unknown') return NOT_UNDERSTOOD;
  // The link expired after its code was refused, so the code is free again.
  return { kind: 'refused_for_now', code: 'busy', message: '', retryAfterSeconds: null };
}

/** Returns the result of a refusal, or null if the JSON is not a refusal of the server. */
function refusalOf(json: unknown, status: number): RequestResult | null {
  const reason = reasonOf(json);
  if (reason === null) return null;
  const message = messageOf(reason);
  if (status >= 500 || SERVER_ERROR.test(reason)) return { kind: 'unclear', code: 'server_error', message };
  if (status === 401) return { kind: 'refused', code: 'unauthorized', message };
  const code = PROBLEMS.find(([pattern]) => pattern.test(reason))?.[1] ?? 'refused';
  return { kind: 'refused', code, message };
}
