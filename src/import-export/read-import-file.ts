import { parseDateTime } from '@terse/contract/link-fields';
import { settingsIn } from '../storage/settings.ts';
import { Envelope, ExportedConnection, ExportedLink, ExportedRequest, FORMAT, VERSION } from './export-schema.ts';
import {
  type Contents,
  type FileProblem,
  MAX_ENTRIES,
  MAX_FILE_SIZE,
  type SkipReason,
} from './import-limits-and-errors.ts';
import { decode } from './text-encoding.ts';

/** Maximum number of connections after an import. The number is limited because every page shows all connections. */
export const MAX_CONNECTIONS = 200;

type FileLike = Pick<Blob, 'size' | 'arrayBuffer'>;

export type ReadFile = { problem: FileProblem } | { contents: Contents };

/** Reads a Terse export. Nothing is stored yet. */
export async function readFile(file: FileLike, now: number): Promise<ReadFile> {
  if (file.size > MAX_FILE_SIZE) return { problem: 'too_much' };
  const bytes = await file.arrayBuffer().catch(() => null);
  if (!bytes) return { problem: 'unreadable' };
  const decoded = decode(new Uint8Array(bytes));
  if (!decoded) return { problem: 'not_text' };
  const text = decoded.text.replace(/^\uFEFF/, '').trim();
  if (!text) return { problem: 'empty' };
  if (!text.startsWith('{')) return { problem: 'not_an_export' };
  const read = readJson(text, now);
  return 'problem' in read ? read : { contents: { ...read, guessedEncoding: decoded.guessed } };
}

type Read = { problem: FileProblem } | Omit<Contents, 'guessedEncoding'>;

function readJson(text: string, now: number): Read {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problem: 'broken_json' };
  }
  const isOurs = typeof json === 'object' && json !== null && 'format' in json && json.format === FORMAT;
  return isOurs ? readExport(json, now) : { problem: 'not_an_export' };
}

function readExport(json: unknown, now: number): Read {
  const read = Envelope.safeParse(json);
  if (!read.success) return { problem: 'broken_json' };
  const { version, settings, connections, links, requests } = read.data;
  if (version > VERSION) return { problem: 'newer_version' };
  if (connections.length + links.length + requests.length > MAX_ENTRIES) return { problem: 'too_much' };
  const leftOut: Contents['leftOut'] = [];
  const seen = new Set<string>();
  const each = <T extends { id: string; idempotencyKey?: string }>(
    list: string,
    all: unknown[],
    parse: (one: unknown, index: number) => T | null,
  ): T[] =>
    all.flatMap((one, index) => {
      const parsed = parse(one, index);
      // An entry is skipped if an earlier entry has the same id or idempotency key.
      const ids = parsed === null ? [] : [parsed.id, parsed.idempotencyKey ?? parsed.id];
      const reason: SkipReason | null =
        parsed === null ? 'broken_entry' : ids.some((id) => seen.has(id)) ? 'twice' : null;
      if (reason) leftOut.push({ list, entry: index + 1, reason });
      if (parsed === null || reason) return [];
      for (const id of ids) seen.add(id);
      return [parsed];
    });
  return {
    connections: each('connections', connections, (one, index) =>
      index < MAX_CONNECTIONS ? dataOf(ExportedConnection.safeParse(one)) : null,
    ),
    links: each('links', links, (one) => dated(dataOf(ExportedLink.safeParse(one)), now)),
    // A link has the same id as the request that created it. If a file contains both, the request is already complete
    // and is skipped.
    requests: each('requests', requests, (one) => dated(dataOf(ExportedRequest.safeParse(one)), now)),
    settings: typeof settings === 'object' && settings !== null ? settingsIn(settings) : null,
    leftOut,
  };
}

function dataOf<T>(parsed: { success: true; data: T } | { success: false }): T | null {
  return parsed.success ? parsed.data : null;
}

/**
 * Replaces a creation date in the future with the current time. Otherwise the entry would stay at the top of every
 * list.
 */
function dated<T extends { createdAt: string }>(entry: T | null, now: number): T | null {
  const isAhead = entry !== null && (parseDateTime(entry.createdAt) ?? 0) > now;
  return isAhead ? { ...entry, createdAt: new Date(now).toISOString() } : entry;
}
