import { parseServiceAddress } from '@terse/contract/connection-link';
import { parseDateTime } from '@terse/contract/link-fields';
import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import type { Connection, Link } from '../queue/types.ts';
import { SERVICE_KINDS } from '../servers/adapter.ts';
import type { Settings } from '../storage/settings.ts';
import { isWebUrl, MAX_URL_LENGTH } from '../urls/shortenable-url-rules.ts';

/**
 * Marks a file as an export of this extension. Increment `VERSION` if older versions of the extension would misread
 * the new format.
 */
export const FORMAT = 'terse-export';
export const VERSION = 1;

// The maximum length of each string equals that of a URL. With this limit, tens of thousands of entries fit in memory.
const text = z.string().check(z.maxLength(MAX_URL_LENGTH));
const id = text.check(z.minLength(1));
/** Time, converted to milliseconds. `Date.parse` would reject leap seconds. */
const instant = z.pipe(
  z.string(),
  z.transform((text, { issues }) => {
    const at = parseDateTime(text);
    if (at === null) issues.push({ code: 'custom', input: text });
    return at ?? 0;
  }),
);
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
  settings: z.unknown(),
  connections: z.array(z.unknown()),
  links: z.array(z.unknown()),
});

/**
 * An exported connection, without its API key. The first connection in a file is the default. An invalid option counts
 * as absent, so that the connection can still be imported.
 */
export const ExportedConnection = z.object({
  id,
  name: text.check(z.maxLength(100)),
  baseUrl: text.check(z.refine(isServiceAddress)),
  kind: z.catch(z.optional(z.enum(SERVICE_KINDS)), undefined),
  isKindChosen: z.catch(z.optional(z.literal(true)), undefined),
  domain: z.catch(z.optional(text), undefined),
  limits: z.catch(
    z.optional(
      z.object({
        perSecond: z.nullable(z.number().check(z.positive())),
        perDay: z.nullable(z.int().check(z.positive())),
      }),
    ),
    undefined,
  ),
});

export const ExportedLink = z.object({
  id,
  url: text.check(z.refine(isWebUrl)),
  title: text,
  shortUrl: ShortUrl,
  shortCode: text,
  createdAt: instant,
  expiresAt: z.nullable(instant),
  elsewhere: z.optional(z.literal(true)),
  isRestricted: z.optional(z.literal(true)),
  tags: z.catch(z.optional(z.array(z.string())), undefined),
});

interface Everything {
  connections: Connection[];
  links: Link[];
  settings: Settings;
}

/**
 * Returns the settings, connections and links as JSON. Leaves out API keys.
 *
 * @param now milliseconds since the epoch
 */
export function exportData({ connections, links, settings }: Everything, now: number): string {
  const file = {
    format: FORMAT,
    version: VERSION,
    exportedAt: iso(now),
    settings,
    connections: connections.map(exportConnection),
    links: links.map(exportLink),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

function exportConnection(connection: Connection): z.input<typeof ExportedConnection> {
  const { id, name, baseUrl, kind, isKindChosen, domain, limits } = connection;
  return { id, name, baseUrl, kind, isKindChosen, domain, limits };
}

function exportLink(link: Link): z.input<typeof ExportedLink> {
  const { id, url, title, shortUrl, shortCode, createdAt, expiresAt, elsewhere, isRestricted, tags } = link;
  const times = { createdAt: iso(createdAt), expiresAt: expiresAt === null ? null : iso(expiresAt) };
  return { id, url, title, shortUrl, shortCode, ...times, elsewhere, isRestricted, tags };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
