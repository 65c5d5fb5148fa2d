import type { Exchange, HttpAnswer } from '../http-request-types.ts';
import {
  EXPIRED,
  foreignResult,
  isExpired,
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
import { MAX_TITLE_BYTES } from './capabilities.ts';
import {
  domainOf,
  linkPath,
  readError,
  readLink,
  request,
  type ShlinkError,
  type ShlinkLink,
} from './requests-and-responses.ts';

const PROBLEMS = new Map<string, ProblemCode>([
  ['missing-authentication', 'unauthorized'],
  ['invalid-api-key', 'unauthorized'],
  ['not-found', 'not_a_service'],
]);

/**
 * Creates the requested link. If its code is taken, reads the existing link, because an earlier attempt may have
 * created it. Shlink's own `findIfExists` is not used, because it would also accept links on other domains.
 */
export function* createLink({ links }: CreateRequest, context: ServiceContext): Exchange<AttemptResult> {
  const [link] = links as [NewLink];
  // Shlink would create a link that has already expired.
  if (isExpired(link, context.now)) return notSentResult([EXPIRED]);
  const answer = yield request(context, 'POST', 'short-urls', toFields(link, context));
  const created = readLink(answer);
  if (created) return ownResult(answer, [resultOf(created, link)]);
  const error = readError(answer);
  if (!error) return foreignResult(answer, links.length);
  if (error.type !== 'non-unique-slug' || error.takenCode === null)
    return ownResult(answer, [refusalOf(error, answer)]);
  const found = yield* findOn(error.domain, { ...link, shortCode: error.takenCode }, context);
  // The code is taken even if no link was found, because a restricted key cannot see the links of other keys.
  const taken: RequestResult = { kind: 'refused', code: 'short_code_taken', message: error.message };
  return ownResult(answer, [takenResult(found, taken)]);
}

/** Looks for a link by its code. */
export function findLink(link: NewLink & { shortCode: string }, context: ServiceContext): Exchange<Found> {
  return findOn(domainOf(context), link, context);
}

function* findOn(
  domain: string | null,
  link: NewLink & { shortCode: string },
  context: ServiceContext,
): Exchange<Found> {
  const answer = yield request(context, 'GET', linkPath(link.shortCode, domain));
  const found = readLink(answer);
  if (!found) return { state: readError(answer)?.type === 'short-url-not-found' ? 'absent' : 'unknown' };
  if (!isSameCode(found, link)) return { state: 'unknown' };
  return isSameUrl(found.longUrl, link.url) ? { state: 'found', shortUrl: found.shortUrl } : { state: 'taken' };
}

/** Returns the body of a create request. Shlink refuses unknown fields. */
function toFields({ url, shortCode, title = '', expiresAt, tags }: NewLink, { domain }: ServiceContext): object {
  return {
    longUrl: url,
    // Without a title, Shlink opens the long URL to find a title, which takes seconds. An empty title prevents that.
    title: toText(title),
    ...(shortCode !== undefined && { customSlug: shortCode }),
    ...(expiresAt !== undefined && { validUntil: toAtom(expiresAt) }),
    ...(tags && { tags: tags.map(toText) }),
    ...(domain !== null && { domain }),
  };
}

/**
 * Returns a title or tag in a form that Shlink does not truncate. Shlink removes HTML tags, and all text after an
 * unclosed `<`. A space after each `<` prevents that.
 */
export function toText(text: string): string {
  const safe = text.replace(/<(?!\s)/g, '< ');
  const { read } = new TextEncoder().encodeInto(safe, new Uint8Array(MAX_TITLE_BYTES));
  return safe.slice(0, read);
}

/** Returns a time in Shlink's format, which has no fractions of a second. */
export function toAtom(time: string): string {
  return `${new Date(time).toISOString().slice(0, -'.000Z'.length)}+00:00`;
}

function resultOf(created: ShlinkLink, link: NewLink): RequestResult {
  const isAsked = isSameUrl(created.longUrl, link.url) && isSameCode(created, link);
  return isAsked ? { kind: 'created', shortUrl: created.shortUrl } : NOT_UNDERSTOOD;
}

/** True if the created link has the requested code. Some servers convert all codes to lower case. */
function isSameCode({ shortCode: created }: ShlinkLink, { shortCode: asked }: NewLink): boolean {
  return asked === undefined || created === asked || created === asked.toLowerCase();
}

function refusalOf({ type, message, fields }: ShlinkError, { status }: HttpAnswer): RequestResult {
  if (status >= 500) return { kind: 'unclear', code: 'server_error', message };
  const code = fields.includes('longUrl') ? 'invalid_url' : (PROBLEMS.get(type) ?? 'refused');
  return { kind: 'refused', code, message };
}
