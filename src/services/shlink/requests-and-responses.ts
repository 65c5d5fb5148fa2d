import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import { type HttpAnswer, type HttpCall, jsonCall } from '../http-request-types.ts';
import {
  type ListedLink,
  MAX_LENGTH,
  type ServiceFailure,
  type ServiceProblem,
  serviceFailure,
} from '../link-operations.ts';
import { listedTags } from '../parse-and-format-tags.ts';
import { messageOf } from '../response-to-result.ts';
import type { ServiceContext } from '../service-adapter.ts';

/** Every error type of Shlink is an address that starts with this text. */
const ERROR_TYPE = 'https://shlink.io/api/error/';

const Time = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text))));

const ShlinkLink = z.object({
  shortUrl: ShortUrl,
  shortCode: z.string().check(z.minLength(1), z.maxLength(MAX_LENGTH.shortCode)),
  longUrl: z.string().check(z.maxLength(MAX_LENGTH.url)),
  dateCreated: Time,
  meta: z.object({
    validUntil: z.nullable(Time),
    validSince: z.optional(z.unknown()),
    maxVisits: z.optional(z.unknown()),
  }),
  title: z.nullable(z.string()),
  tags: z.catch(z.optional(z.array(z.string())), undefined),
  /** Absent in versions before Shlink 3.4. */
  visitsSummary: z.optional(z.object({ nonBots: z.int() })),
});
export type ShlinkLink = z.infer<typeof ShlinkLink>;

const Problem = z.object({
  type: z.string().check(z.startsWith(ERROR_TYPE)),
  detail: z.string(),
  invalidElements: z.catch(z.optional(z.array(z.string())), undefined),
  domain: z.catch(z.optional(z.string()), undefined),
  customSlug: z.catch(z.optional(z.string()), undefined),
});

/** Error response from Shlink itself. `type` is the error type without the prefix `ERROR_TYPE`. */
export interface ShlinkError {
  type: string;
  message: string;
  /** Names of the fields that Shlink refused. */
  fields: string[];
  /** Domain of the link that the error is about. Null for the default domain. */
  domain: string | null;
  /** Short code that caused the error because it is already taken, as stored by Shlink. Null for other errors. */
  takenCode: string | null;
}

/** Returns the link in a response, or null if the response contains no link. */
export function readLink({ status, json }: HttpAnswer): ShlinkLink | null {
  return (status === 200 && parseLink(json)) || null;
}

export function parseLink(json: unknown): ShlinkLink | null {
  return ShlinkLink.safeParse(json).data ?? null;
}

/** Returns the error from Shlink, or null if the response is not an error from Shlink. */
export function readError({ json }: HttpAnswer): ShlinkError | null {
  const { data } = Problem.safeParse(json);
  if (!data) return null;
  const { type, detail, invalidElements: fields = [], domain = null, customSlug: takenCode = null } = data;
  return { type: type.slice(ERROR_TYPE.length), message: messageOf(detail), fields, domain, takenCode };
}

/**
 * Converts a link to the extension's own format. An empty title counts as no title. The extension sends empty titles
 * so that Shlink does not read titles from web pages.
 */
export function toListedLink(link: ShlinkLink): ListedLink {
  const { validUntil, validSince = null, maxVisits = null } = link.meta;
  return {
    shortCode: link.shortCode,
    shortUrl: link.shortUrl,
    url: link.longUrl,
    title: link.title?.slice(0, MAX_LENGTH.title) || null,
    createdAt: Date.parse(link.dateCreated),
    expiresAt: validUntil === null ? null : Date.parse(validUntil),
    clicks: link.visitsSummary?.nonBots ?? 0,
    ...((validSince !== null || maxVisits !== null) && { isRestricted: true }),
    ...(link.tags && { tags: listedTags(link.tags) }),
  };
}

const PROBLEMS = new Map<string, ServiceProblem>([
  ['missing-authentication', 'unauthorized'],
  ['invalid-api-key', 'unauthorized'],
  ['short-url-not-found', 'gone'],
  ['not-found', 'cannot_list'],
]);

/** Converts an error response, or an unexpected response, to a `ServiceFailure`. */
export function failureOf(answer: HttpAnswer): ServiceFailure {
  const { status, retryAfterSeconds } = answer;
  const error = readError(answer);
  if (status === 429) return { ...serviceFailure('throttled'), retryAfterSeconds };
  if (status >= 500) return serviceFailure('unreachable');
  if (!error) return serviceFailure('not_understood');
  const { type, message } = error;
  return { ...serviceFailure(PROBLEMS.get(type) ?? 'refused'), code: type, message };
}

/** Returns a request to Shlink's API. Without the `Accept` header, Shlink would send errors as web pages. */
export function request({ apiKey }: ServiceContext, method: HttpCall['method'], path: string, body?: object): HttpCall {
  return jsonCall(method, `/rest/v3/${path}`, { 'X-Api-Key': apiKey }, body);
}

/** Returns the path of a link. If the path contains no domain, Shlink uses its default domain. */
export function linkPath(shortCode: string, domain: string | null): string {
  const query = domain === null ? '' : `?domain=${encodeURIComponent(domain)}`;
  return `short-urls/${encodeURIComponent(shortCode)}${query}`;
}

/**
 * Returns the domain on which to look for links, or null for the server's default domain. If the connection has no
 * domain, returns the first domain in the server's list, because the API key may be restricted to that domain.
 */
export function domainOf({ domain, service }: ServiceContext): string | null {
  return domain ?? service?.domains?.[0]?.name ?? null;
}
