import type * as z from 'zod/mini';
import type { Imported } from '../messages/protocol.ts';
import type { Connection, Link } from '../queue/types.ts';
import { type Settings, settingsIn } from '../storage/settings.ts';
import { Envelope, ExportedConnection, ExportedLink, FORMAT, VERSION } from './export-file.ts';
import { MAX_ENTRIES, MAX_FILE_SIZE } from './import-limits.ts';

/** Maximum number of connections in an import. The number is limited because every page shows all connections. */
export const MAX_CONNECTIONS = 200;

/** Reasons why the extension cannot import a file. The message key is `importProblem_<problem>`. */
export type FileProblem = 'not_an_export' | 'broken_json' | 'newer_version' | 'too_much' | 'unreadable';

/** Valid entries of an export file. */
export interface Contents extends Imported {
  settings: Settings | null;
  /** Number of entries that were not valid. */
  skipped: number;
}

export type ReadFile = { problem: FileProblem } | { contents: Contents };

/** Reads a Terse export. Nothing is stored yet. */
export async function readFile(file: Pick<Blob, 'size' | 'text'>, now: number): Promise<ReadFile> {
  if (file.size > MAX_FILE_SIZE) return { problem: 'too_much' };
  const text = await file.text().catch(() => null);
  return text === null ? { problem: 'unreadable' } : readExport(text.trim(), now);
}

function readExport(text: string, now: number): ReadFile {
  if (!text.startsWith('{')) return { problem: 'not_an_export' };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problem: 'broken_json' };
  }
  if ((json as { format?: unknown }).format !== FORMAT) return { problem: 'not_an_export' };
  const file = Envelope.safeParse(json).data;
  if (!file) return { problem: 'broken_json' };
  const { version, settings } = file;
  if (version > VERSION) return { problem: 'newer_version' };
  const count = file.connections.length + file.links.length;
  if (count > MAX_ENTRIES) return { problem: 'too_much' };
  const connections = validEntries(file.connections, ExportedConnection).slice(0, MAX_CONNECTIONS);
  const links = validEntries(file.links, ExportedLink);
  return {
    contents: {
      connections: connections.map(connectionOf),
      links: links.map((link) => linkOf(link, now)),
      settings: typeof settings === 'object' && settings !== null ? settingsIn(settings) : null,
      skipped: count - connections.length - links.length,
    },
  };
}

function validEntries<T>(entries: unknown[], schema: z.ZodMiniType<T>): T[] {
  return entries.flatMap((entry) => {
    const parsed = schema.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
}

/**
 * Converts an imported connection. The server's features are not taken from the file, because wrong features could
 * cause duplicate links. They are read from the server later.
 */
function connectionOf(connection: z.infer<typeof ExportedConnection>): Connection {
  const unknown = { lastFour: '', service: null, serviceReadAt: null, lastSeenWellAt: null, preferredAt: 0 };
  return { ...withoutUndefined(connection), ...unknown };
}

/**
 * Converts an imported link. `connectionId` remains null until the server lists the link, because a file cannot prove
 * that the short URL exists (see `links.ts`). A creation time in the future would keep the link at the
 * top of every list, so it becomes the current time.
 */
function linkOf(link: z.infer<typeof ExportedLink>, now: number): Link {
  const createdAt = Math.min(link.createdAt, now);
  return { ...withoutUndefined(link), connectionId: null, listId: null, createdAt };
}

/** Optional properties without a value that `T` may have. */
type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Returns a copy without the properties whose value is undefined. */
function withoutUndefined<T extends object>(entry: T): Defined<T> {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)) as Defined<T>;
}
