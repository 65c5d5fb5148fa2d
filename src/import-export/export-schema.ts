import { parseServiceAddress } from '@terse/contract/connection-link';
import { IDEMPOTENCY_KEY_PATTERN } from '@terse/contract/http-headers';
import { parseDateTime, SHORT_CODE_PATTERN } from '@terse/contract/link-fields';
import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import { isWebUrl, MAX_URL_LENGTH, pageTarget } from '../urls/shortenable-url.ts';

/** What the first lines of an export say that it is. A later version that older extensions could misread counts up. */
export const FORMAT = 'terse-export';
export const VERSION = 1;

/** Little enough to keep tens of thousands of, and as long as what is shortened here may be. */
const LONGEST_TEXT = MAX_URL_LENGTH;

const text = z.string().check(z.maxLength(LONGEST_TEXT));
const id = text.check(z.minLength(1));
const instant = z.string().check(z.refine((value: string) => parseDateTime(value) !== null));
const webAddress = text.check(z.refine(isWebUrl));
/** An address as it goes out. User info is taken off before a request is kept, so a file has none either. */
const isClean = (value: string) => {
  const target = pageTarget(value, () => false);
  return isWebUrl(value) && 'url' in target && !target.userInfoRemoved;
};
const isServiceAddress = (value: string) => {
  const parsed = parseServiceAddress(value);
  return 'baseUrl' in parsed && parsed.baseUrl === value;
};

/** The outermost part of an export. Its entries are read one by one, so that one that is broken costs no other. */
export const Envelope = z.object({
  format: z.literal(FORMAT),
  version: z.int().check(z.gte(1)),
  exportedAt: z.string(),
  settings: z.unknown(),
  connections: z.array(z.unknown()),
  links: z.array(z.unknown()),
  requests: z.array(z.unknown()),
});

/** A connection, without its key. The first is the default one. */
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

/** A request that had not ended: enough to ask for the same again, under the same idempotency key. */
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
  // One that no header can carry would never leave, and spend the budget again and again.
  idempotencyKey: z.string().check(z.regex(IDEMPOTENCY_KEY_PATTERN)),
  minted: z.optional(z.object({ code: z.string().check(z.regex(SHORT_CODE_PATTERN)), taken: z.int().check(z.gte(0)) })),
  handedOut: z.optional(ShortUrl),
});

export type ExportedConnection = z.infer<typeof ExportedConnection>;
export type ExportedLink = z.infer<typeof ExportedLink>;
export type ExportedRequest = z.infer<typeof ExportedRequest>;
