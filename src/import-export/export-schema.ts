import { parseServiceAddress } from '@terse/contract/connection-link';
import { IDEMPOTENCY_KEY_PATTERN } from '@terse/contract/http-headers';
import { parseDateTime, SHORT_CODE_PATTERN, TagList } from '@terse/contract/link-fields';
import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import { listedTags } from '../services/parse-and-format-tags.ts';
import { SERVICE_KINDS } from '../services/service-adapter.ts';
import { isWebUrl, MAX_URL_LENGTH, pageTarget } from '../urls/shortenable-url-rules.ts';

/**
 * Marks a file as an export of this extension. Increment `VERSION` if older versions of the extension would misread
 * the new format.
 */
export const FORMAT = 'terse-export';
export const VERSION = 1;

/**
 * Maximum length of each string in an export file, equal to the maximum URL length. With this limit, tens of
 * thousands of entries fit in memory.
 */
const LONGEST_TEXT = MAX_URL_LENGTH;

const text = z.string().check(z.maxLength(LONGEST_TEXT));
const id = text.check(z.minLength(1));
const instant = z.string().check(z.refine((value: string) => parseDateTime(value) !== null));
const webAddress = text.check(z.refine(isWebUrl));
/**
 * True if the extension can shorten the URL and the URL contains no user name or password. The URLs of all exported
 * requests meet these conditions.
 */
const isClean = (value: string) => {
  const target = pageTarget(value, () => false);
  return isWebUrl(value) && 'url' in target && !target.userInfoRemoved;
};
const isServiceAddress = (value: string) => {
  const parsed = parseServiceAddress(value);
  return 'baseUrl' in parsed && parsed.baseUrl === value;
};

/**
 * Outermost object of an export file. The entries are validated separately, so that an invalid entry does not affect
 * the others.
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

const perSecond = z.nullable(z.number().check(z.positive()));
const perDay = z.nullable(z.int().check(z.positive()));

/** An exported connection, without its API key. The first connection in a file is the default. */
export const ExportedConnection = z.object({
  id,
  name: text.check(z.maxLength(100)),
  baseUrl: text.check(z.refine(isServiceAddress)),
  // Absent in files from earlier versions. An invalid value counts as absent, so that the connection can still be
  // imported.
  kind: z.catch(z.optional(z.enum(SERVICE_KINDS)), undefined),
  isKindChosen: z.catch(z.optional(z.literal(true)), undefined),
  domain: z.catch(z.optional(text), undefined),
  limits: z.catch(z.optional(z.object({ perSecond, perDay })), undefined),
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
  elsewhere: z.optional(z.literal(true)),
  isRestricted: z.optional(z.literal(true)),
  // An invalid value counts as absent, so that the link can still be imported.
  tags: z.catch(z.optional(z.pipe(z.array(z.string()), z.transform(listedTags))), undefined),
});

/**
 * An exported request to create a link. It contains all data that is needed to send the request again with the same
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
    tags: z.optional(TagList),
  }),
  createdAt: instant,
  // An invalid key is rejected here, because a request with this key would fail and still use up quota.
  idempotencyKey: z.string().check(z.regex(IDEMPOTENCY_KEY_PATTERN)),
  generatedCode: z.optional(z.string().check(z.regex(SHORT_CODE_PATTERN))),
  domain: z.catch(z.optional(z.nullable(text)), undefined),
});

export type ExportedConnection = z.infer<typeof ExportedConnection>;
export type ExportedLink = z.infer<typeof ExportedLink>;
export type ExportedRequest = z.infer<typeof ExportedRequest>;
