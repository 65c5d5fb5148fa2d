import { parseServiceAddress } from '@terse/contract/connection-link';
import { IDEMPOTENCY_KEY_PATTERN } from '@terse/contract/http-headers';
import { parseDateTime, SHORT_CODE_PATTERN } from '@terse/contract/link-fields';
import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import { isWebUrl, MAX_URL_LENGTH, pageTarget } from '../urls/shortenable-url.ts';

/**
 * Format name at the top of an export file. `VERSION` increases whenever older extensions could misread a new file.
 */
export const FORMAT = 'terse-export';
export const VERSION = 1;

/**
 * Maximum length of a text in an export file. It equals the maximum URL length, so that tens of thousands of entries
 * fit in memory.
 */
const LONGEST_TEXT = MAX_URL_LENGTH;

const text = z.string().check(z.maxLength(LONGEST_TEXT));
const id = text.check(z.minLength(1));
const instant = z.string().check(z.refine((value: string) => parseDateTime(value) !== null));
const webAddress = text.check(z.refine(isWebUrl));
/** True if a URL is normalized and contains no user name or password. Every exported URL is in this form. */
const isClean = (value: string) => {
  const target = pageTarget(value, () => false);
  return isWebUrl(value) && 'url' in target && !target.userInfoRemoved;
};
const isServiceAddress = (value: string) => {
  const parsed = parseServiceAddress(value);
  return 'baseUrl' in parsed && parsed.baseUrl === value;
};

/**
 * Outermost object of an export file. Its entries are validated separately, so that an invalid entry does not affect
 * valid ones.
 */
export const Envelope = z.object({
  format: z.literal(FORMAT),
  version: z.int().check(z.gte(1)),
  exportedAt: z.string(),
  settings: z.unknown(),
  connections: z.array(z.unknown()),
  links: z.array(z.unknown()),
  requests: z.array(z.unknown()),
});

/** An exported connection, without its API key. The first connection in a file is the default. */
export const ExportedConnection = z.object({
  id,
  name: text.check(z.maxLength(100)),
  baseUrl: text.check(z.refine(isServiceAddress)),
});

export const ExportedLink = z.object({
  id,
  connectionId: z.nullable(id),
  groupId: z.nullable(id),
  url: webAddress,
  title: text,
  shortUrl: ShortUrl,
  shortCode: text,
  createdAt: instant,
  expiresAt: z.nullable(instant),
  handedOut: z.optional(z.literal(true)),
  replaces: z.optional(ShortUrl),
  elsewhere: z.optional(z.literal(true)),
});

/**
 * An exported request whose link does not exist yet. It contains enough data to send the request again with the same
 * idempotency key.
 */
export const ExportedRequest = z.object({
  id,
  connectionId: z.nullable(id),
  groupId: z.nullable(id),
  url: text.check(z.refine(isClean)),
  title: text,
  options: z.object({
    shortCode: z.nullable(text),
    title: z.nullable(text),
    expiresAt: z.nullable(instant),
  }),
  createdAt: instant,
  // An idempotency key that is not a valid header value could never be sent, but each try would use quota.
  idempotencyKey: z.string().check(z.regex(IDEMPOTENCY_KEY_PATTERN)),
  minted: z.optional(z.object({ code: z.string().check(z.regex(SHORT_CODE_PATTERN)), taken: z.int().check(z.gte(0)) })),
  handedOut: z.optional(ShortUrl),
});

export type ExportedConnection = z.infer<typeof ExportedConnection>;
export type ExportedLink = z.infer<typeof ExportedLink>;
export type ExportedRequest = z.infer<typeof ExportedRequest>;
