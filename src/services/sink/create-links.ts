import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import type { Exchange } from '../http-request-types.ts';
import {
  EXPIRED,
  foreignResult,
  isSameUrl,
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
import { MAX_TITLE_LENGTH, SINK_FEATURE } from './capabilities.ts';
import {
  query,
  readFailure,
  readLink,
  request,
  type SinkFailure,
  type SinkLink,
  shortBaseUrlOf,
} from './requests-and-responses.ts';

/** Maximum length of an `id` that an API client may choose. */
const MAX_ID_LENGTH = 26;

const Created = z.object({ link: z.unknown(), shortLink: ShortUrl });

const Item = z.object({ index: z.int() });

const Imported = z.object({
  successItems: z.array(Item),
  skippedItems: z.array(Item),
  failedItems: z.array(Item),
});

const PROBLEMS: Record<string, ProblemCode> = { url: 'invalid_url', slug: 'invalid_short_code', expiration: 'expired' };

/** Creates the requested links. Links that an earlier attempt has already created count as created. */
export function* createLinks({ links }: CreateRequest, context: ServiceContext): Exchange<AttemptResult> {
  const isExpired = ({ expiresAt }: NewLink) => expiresAt !== undefined && toSeconds(expiresAt) <= context.now / 1_000;
  const sent = links.filter((link) => !isExpired(link));
  if (sent.length === 0) return notSentResult(links.map(() => EXPIRED));
  const [first] = sent;
  const result = yield* links.length === 1 && first ? createLink(first, context) : importLinks(sent, context);
  const items = links.map((link) => result.items[sent.indexOf(link)] ?? EXPIRED);
  return { ...result, items };
}

/** Looks for a link by its short code among all links on the server. */
export function* findLink(link: NewLink & { shortCode: string }, context: ServiceContext): Exchange<Found> {
  const found = yield* query(link.shortCode, context);
  if ('failed' in found) return { state: 'unknown' };
  if (!found.link) return { state: 'absent' };
  const shortUrl = `${shortBaseUrlOf(context)}/${found.link.slug}`;
  return isOwn(found.link, link) ? { state: 'found', shortUrl } : { state: 'taken' };
}

function* createLink(link: NewLink, context: ServiceContext): Exchange<AttemptResult> {
  const hasUpsert = context.service?.features.includes(SINK_FEATURE.upsert) ?? false;
  const answer = yield request(context, 'POST', `link/${hasUpsert ? 'upsert' : 'create'}`, toFields(link));
  const failure = readFailure(answer);
  if (failure?.status === 409) return ownResult(answer, [yield* readTaken(link, context)]);
  if (failure) return ownResult(answer, [refusalOf(failure)]);
  const created = answer.status === 200 || answer.status === 201 ? Created.safeParse(answer.json).data : undefined;
  const made = created && readLink(created.link);
  if (!made) return foreignResult(answer, 1);
  if (!isOwn(made, link)) return ownResult(answer, [TAKEN]);
  return ownResult(answer, [{ kind: 'created', shortUrl: created.shortLink }]);
}

/**
 * Creates several links. If a code already exists, Sink skips the link. This function then reads the existing link to
 * find out whether it is the requested one.
 */
function* importLinks(links: NewLink[], context: ServiceContext): Exchange<AttemptResult> {
  const answer = yield request(context, 'POST', 'link/import', { version: '1.0', links: links.map(toFields) });
  const failure = readFailure(answer);
  if (failure) {
    const refusal = refusalOf(failure);
    const result = ownResult(
      answer,
      links.map(() => refusal),
    );
    // A single invalid link makes Sink refuse the whole batch, so the queue must split the batch.
    return { ...result, refusedAsWhole: failure.status === 400 };
  }
  const imported = answer.status === 200 ? Imported.safeParse(answer.json).data : undefined;
  if (!imported) return foreignResult(answer, links.length);
  const items: RequestResult[] = [];
  for (const [index, link] of links.entries()) items.push(yield* readItem(imported, index, link, context));
  return ownResult(answer, items);
}

function* readItem(
  { successItems, skippedItems, failedItems }: z.infer<typeof Imported>,
  position: number,
  link: NewLink,
  context: ServiceContext,
): Exchange<RequestResult> {
  const isIn = (items: { index: number }[]) => items.some(({ index }) => index === position);
  if (isIn(skippedItems)) return yield* readTaken(link, context);
  if (isIn(successItems)) return { kind: 'created', shortUrl: `${shortBaseUrlOf(context)}/${link.shortCode}` };
  // The server reports database failures without an error code.
  return isIn(failedItems) ? { kind: 'unclear', code: 'server_error', message: '' } : NOT_UNDERSTOOD;
}

/**
 * Reads the existing link with the requested short code. If it matches the requested link, it counts as created,
 * because an earlier request may have created it.
 */
function* readTaken(link: NewLink, context: ServiceContext): Exchange<RequestResult> {
  const { shortCode } = link;
  if (shortCode === undefined) return TAKEN;
  return takenResult(yield* findLink({ ...link, shortCode }, context), TAKEN, NOT_UNDERSTOOD);
}

const TAKEN: RequestResult = { kind: 'refused', code: 'short_code_taken', message: '' };

/**
 * True if the server's link is the requested link. If the `id` matches, the URL may differ, because the link may have
 * been edited.
 */
function isOwn({ id, slug, url }: SinkLink, link: NewLink): boolean {
  const isAsked = link.shortCode === undefined || slug.toLowerCase() === link.shortCode.toLowerCase();
  return isAsked && (id === idOf(link) || isSameUrl(url, link.url));
}

function idOf({ idempotencyKey }: NewLink): string {
  return idempotencyKey.replaceAll('-', '').slice(0, MAX_ID_LENGTH);
}

function toFields(link: NewLink): object {
  const { url, shortCode, title, expiresAt } = link;
  return {
    id: idOf(link),
    url,
    ...(shortCode !== undefined && { slug: shortCode }),
    ...(title && { title: title.slice(0, MAX_TITLE_LENGTH) }),
    ...(expiresAt !== undefined && { expiration: toSeconds(expiresAt) }),
  };
}

/** Converts a time to Unix time in seconds, the format that Sink uses. */
export function toSeconds(time: string): number {
  return Math.floor(Date.parse(time) / 1_000);
}

function refusalOf({ status, message, field }: SinkFailure): RequestResult {
  // Status 423 means that an administrator must first migrate the links of an earlier version.
  if (status === 423) return { kind: 'refused_for_now', code: 'busy', message, retryAfterSeconds: null };
  if (status === 429) return { kind: 'refused_for_now', code: 'throttled', message, retryAfterSeconds: null };
  if (status >= 500) return { kind: 'unclear', code: 'server_error', message };
  if (status === 401) return { kind: 'refused', code: 'unauthorized', message };
  if (status === 403) return { kind: 'refused', code: 'forbidden', message };
  const code = PROBLEMS[field] ?? 'refused';
  return { kind: 'refused', code, message: code === 'refused' && field ? `${message}: ${field}` : message };
}
