import * as z from 'zod/mini';
import { type HttpAnswer, type HttpCall, jsonCall } from '../http-request-types.ts';
import { type ListedLink, MAX_LENGTH, type ServiceFailure, serviceFailure } from '../link-operations.ts';
import { messageOf } from '../response-to-result.ts';
import type { ServiceContext } from '../service-adapter.ts';

/** Error message in the response to a wrong API key. */
const WRONG_KEY = 'API validation failed.';

const Refusal = z.object({ success: z.literal(false), reason: z.string() });

const Seconds = z.int().check(z.gte(0));

/** Properties of a link in a response. If `expiry_time` is 0, the link never expires. */
const Fields = { hits: z.int(), expiry_time: Seconds, notes: z._default(z.string(), '') };

const Url = z.string().check(z.minLength(1), z.maxLength(MAX_LENGTH.url));
const Code = z.string().check(z.minLength(1), z.maxLength(MAX_LENGTH.shortCode));

const ListRecord = z.object({ shortlink: Code, longlink: Url, ...Fields });
const Expanded = z.object({ success: z.literal(true), longurl: Url, ...Fields });

export interface ChhotoLink {
  code: string;
  url: string;
  hits: number;
  /** Unix time in seconds. 0 if the link never expires. */
  expiry: number;
  notes: string;
}

/** Returns the server's reason for a refusal, or null if the JSON is not a refusal. */
export function reasonOf(json: unknown): string | null {
  return Refusal.safeParse(json).data?.reason ?? null;
}

/** True if the server itself refused the API key. */
export function isKeyRefused({ status, json, text }: HttpAnswer): boolean {
  return status === 401 && (reasonOf(json) ?? text) === WRONG_KEY;
}

/** Returns the link in the response to `expandCall`, or null if the response contains no link. */
export function readExpanded({ status, json }: HttpAnswer, code: string): ChhotoLink | null {
  const parsed = status === 200 ? Expanded.safeParse(json).data : undefined;
  if (!parsed) return null;
  const { longurl: url, hits, expiry_time: expiry, notes } = parsed;
  return { code, url, hits, expiry, notes };
}

/** Converts a record of the list. Returns null if the record is not a link. */
export function readRecord(record: unknown): ChhotoLink | null {
  const parsed = ListRecord.safeParse(record).data;
  if (!parsed) return null;
  const { shortlink: code, longlink: url, hits, expiry_time: expiry, notes } = parsed;
  return { code, url, hits, expiry, notes };
}

/**
 * True if the server says that no link has the requested short code. The HTTP status is not checked, because the
 * status depends on the server's version.
 */
export function isAbsent({ json }: HttpAnswer): boolean {
  return /does not exist|was not found/.test(reasonOf(json) ?? '');
}

/**
 * Converts a link to the extension's own format. The creation time is null, because the server does not store the
 * creation time.
 */
export function toListedLink({ code, url, hits, expiry, notes }: ChhotoLink, context: ServiceContext): ListedLink {
  return {
    shortCode: code,
    shortUrl: shortUrlOf(code, context),
    url,
    title: notes.slice(0, MAX_LENGTH.title) || null,
    createdAt: null,
    expiresAt: expiry === 0 || isTooFar(expiry) ? null : expiry * 1000,
    clicks: hits,
  };
}

/** True if a time in seconds is outside the range of `Date`. */
function isTooFar(seconds: number): boolean {
  return Number.isNaN(new Date(seconds * 1000).getTime());
}

/**
 * Returns the short URL of a code. The short URL from the server is not used, because it starts with
 * `http://localhost` if the server's address is not configured.
 */
export function shortUrlOf(code: string, { baseUrl, service }: ServiceContext): string {
  return `${service?.shortBaseUrl || baseUrl}/${code}`;
}

/** Converts an error response, or an unexpected response, to a `ServiceFailure`. */
export function failureOf(answer: HttpAnswer): ServiceFailure {
  const { status, json, retryAfterSeconds } = answer;
  if (status === 429) return { ...serviceFailure('throttled'), retryAfterSeconds };
  if (status >= 500) return serviceFailure('unreachable');
  if (isKeyRefused(answer)) return { ...serviceFailure('unauthorized'), message: WRONG_KEY };
  if (isAbsent(answer)) return serviceFailure('gone');
  const reason = reasonOf(json);
  return reason === null
    ? serviceFailure('not_understood')
    : { ...serviceFailure('refused'), message: messageOf(reason) };
}

/**
 * Builds a request for the server's API. The `X-API-Key` header is sent even if the key is empty. Without this
 * header, some servers respond in plain text and with different status codes.
 */
export function request({ apiKey }: ServiceContext, method: HttpCall['method'], path: string, body?: object): HttpCall {
  return jsonCall(method, `/api/${path}`, { 'X-API-Key': apiKey }, body);
}

/** Returns a request that reads the link with this code. */
export function expandCall(context: ServiceContext, code: string): HttpCall {
  const { headers, ...call } = request(context, 'POST', 'expand');
  return { ...call, headers: { ...headers, 'Content-Type': 'text/plain' }, body: code };
}
