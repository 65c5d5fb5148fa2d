import * as z from 'zod/mini';
import { type Exchange, type HttpAnswer, type HttpCall, jsonCall } from '../http-request-types.ts';
import { type ListedLink, MAX_LENGTH, type ServiceFailure, type ServiceProblem } from '../link-operations.ts';
import { messageOf } from '../response-to-result.ts';
import type { ServiceContext } from '../service-adapter.ts';

const SinkLink = z.object({
  id: z.string().check(z.minLength(1)),
  slug: z.string().check(z.minLength(1), z.maxLength(MAX_LENGTH.shortCode)),
  url: z.string().check(z.minLength(1), z.maxLength(MAX_LENGTH.url)),
  title: z.optional(z.nullable(z.string())),
  /** `createdAt` and `expiration` are Unix times in seconds. */
  createdAt: z.int(),
  expiration: z.optional(z.nullable(z.number())),
  /** Masked password. Absent or empty if the link has no password. */
  password: z.optional(z.unknown()),
});
export type SinkLink = z.infer<typeof SinkLink>;

const SinkError = z.object({
  error: z.literal(true),
  statusCode: z.int(),
  statusMessage: z.string(),
  message: z.catch(z.optional(z.string()), undefined),
});

export interface SinkFailure {
  status: number;
  message: string;
  /** Field of the request that is invalid. Empty if the error is not about a field. */
  field: string;
}

/** Returns a request to Sink's API. `path` is the part after `/api/`. */
export function request({ apiKey }: ServiceContext, method: HttpCall['method'], path: string, body?: object): HttpCall {
  return jsonCall(method, `/api/${path}`, { Authorization: `Bearer ${apiKey}` }, body);
}

export function readLink(record: unknown): SinkLink | null {
  return SinkLink.safeParse(record).data ?? null;
}

/**
 * Returns the error in a response from Sink. Returns null for a success or a web page. Sink sends web pages with
 * status 200 for unknown paths.
 */
export function readFailure({ status, json }: HttpAnswer): SinkFailure | null {
  const error = SinkError.safeParse(json).data;
  if (!error || status < 400 || error.statusCode !== status) return null;
  const { statusMessage, message = '' } = error;
  return { status, message: messageOf(statusMessage), field: fieldOf(message) };
}

/** Reads the link with this code, even if the link has expired. */
export function* query(
  shortCode: string,
  context: ServiceContext,
): Exchange<{ link: SinkLink | null; record?: object } | { failed: HttpAnswer }> {
  const answer = yield request(context, 'GET', `link/query?slug=${encodeURIComponent(shortCode)}`);
  if (readFailure(answer)?.status === 404) return { link: null };
  const link = answer.status === 200 ? readLink(answer.json) : null;
  // Most servers convert codes to lower case.
  if (link?.slug.toLowerCase() !== shortCode.toLowerCase()) return { failed: answer };
  return { link, record: answer.json as object };
}

/** Converts an error response, or an unexpected response, to a `ServiceFailure`. */
export function failureOf(answer: HttpAnswer): ServiceFailure {
  const { message = '', field = '' } = readFailure(answer) ?? {};
  const detail = field && `${message}: ${field}`;
  return { problem: problemOf(answer), code: '', message: detail || message, retryAfterSeconds: null };
}

function problemOf(answer: HttpAnswer): ServiceProblem {
  const status = readFailure(answer)?.status;
  if (status === undefined) return answer.status >= 500 ? 'unreachable' : 'not_understood';
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'gone';
  return status >= 500 ? 'unreachable' : 'refused';
}

/** Converts a link to the extension's own format. Returns null if a time is invalid. */
export function toListedLink(link: SinkLink, shortBaseUrl: string, clicks: number): ListedLink | null {
  const { slug, url, title, createdAt, expiration, password } = link;
  const created = createdAt * 1_000;
  if (Number.isNaN(new Date(created).getTime())) return null;
  const expires = expiration ? expiration * 1_000 : null;
  // Sink accepts an expiry in milliseconds without an error, but interprets it as seconds. The result is a time in
  // the distant future.
  const expiresAt = expires !== null && Number.isNaN(new Date(expires).getTime()) ? null : expires;
  return {
    shortCode: slug,
    shortUrl: `${shortBaseUrl}/${slug}`,
    url,
    title: title ? title.slice(0, MAX_LENGTH.title) : null,
    createdAt: created,
    expiresAt,
    clicks,
    ...(Boolean(password) && { isRestricted: true }),
  };
}

/** Returns the base URL of short links. Sink builds short URLs from the address to which the request was sent. */
export function shortBaseUrlOf({ baseUrl }: ServiceContext): string {
  return URL.parse(baseUrl)?.origin ?? baseUrl;
}

/** Returns the name of the invalid field. The message of a validation error is a list of issues as JSON text. */
function fieldOf(message: string): string {
  try {
    const Issues = z.array(z.object({ path: z.array(z.union([z.string(), z.number()])) }));
    const path = Issues.safeParse(JSON.parse(message)).data?.[0]?.path ?? [];
    return path.filter((part) => typeof part === 'string').at(-1) ?? '';
  } catch {
    return '';
  }
}
