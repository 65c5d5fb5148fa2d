import { parseDateTime } from '@terse/contract/link-fields';
import type { Connection, Link, Request } from '../queue/types.ts';
import type { ExistingData, Imported } from '../storage/save-import.ts';
import type { ExportedConnection, ExportedLink, ExportedRequest } from './export-schema.ts';
import type { Contents } from './import-limits-and-errors.ts';

export interface ImportPreview {
  imported: Imported;
  alreadyHere: number;
}

/**
 * Compares an import file with the stored data. Called twice: for the preview, and again when the entries are saved,
 * because the stored data may have changed in the meantime.
 */
export function previewImport(contents: Contents, here: ExistingData): ImportPreview {
  const there = here.connections;
  const idHere = mapConnections(contents.connections, there);
  const lowest = Math.min(1, ...there.map(({ preferredAt }) => preferredAt));
  const connections = contents.connections
    .map((one) => ({ ...one, id: idHere.get(one.id) ?? one.id }))
    .filter((one) => !there.some(({ id }) => id === one.id))
    .map((one, index) => connectionOf(one, lowest - 1 - index));
  const waiting = new Map(here.requests.map((request) => [request.id, request]));
  const known = new Set(here.links.flatMap(({ id, shortUrl }) => [id, shortUrl]));
  const newLinks = contents.links.filter((link) => {
    const { id, shortUrl } = link;
    const isNew = !known.has(id) && !known.has(shortUrl) && mayEnd(waiting.get(id), link);
    if (isNew) known.add(id).add(shortUrl);
    return isNew;
  });
  // A request is skipped if it is already stored, or if its link is stored or in the same file.
  const keys = new Set(here.requests.map(({ idempotencyKey }) => idempotencyKey));
  const newRequests = contents.requests.filter(
    ({ id, idempotencyKey }) => !known.has(id) && !waiting.has(id) && !keys.has(idempotencyKey),
  );
  const mapped = (id: string | null) => (id === null ? null : (idHere.get(id) ?? null));
  return {
    imported: {
      connections,
      links: newLinks.map(linkOf),
      requests: newRequests.map((request, index) => requestOf(request, mapped(request.connectionId), index)),
      ended: newLinks.flatMap(({ id }) => waiting.get(id) ?? []),
    },
    alreadyHere:
      contents.connections.length +
      contents.links.length +
      contents.requests.length -
      (connections.length + newLinks.length + newRequests.length),
  };
}

/**
 * Maps connection ids in the file to ids in this browser. Two connections match if their ids and server addresses are
 * equal. They also match if the file and this browser each have exactly one connection to that server address. An
 * imported connection gets a new id if its id already belongs to a different server in this browser.
 */
function mapConnections(theirs: ExportedConnection[], here: Connection[]): Map<string, string> {
  const only = <T extends { baseUrl: string }>(all: T[], baseUrl: string) => {
    const same = all.filter((one) => one.baseUrl === baseUrl);
    return same.length === 1 ? same[0] : undefined;
  };
  return new Map(
    theirs.map(({ id, baseUrl }) => {
      const same = here.find((one) => one.id === id);
      if (same?.baseUrl === baseUrl) return [id, id];
      const twin = only(theirs, baseUrl) && only(here, baseUrl);
      // The same file always produces the same ids, so a second import adds nothing.
      return [id, twin?.id ?? (same ? `${id}@${baseUrl}` : id)];
    }),
  );
}

/**
 * Converts an imported connection. The server's features are not taken from the file, because wrong features could
 * cause duplicate links. They are read from the server later.
 */
function connectionOf(exported: ExportedConnection, preferredAt: number): Connection {
  const { id, name, baseUrl, kind, isKindChosen, domain, limits } = exported;
  return {
    id,
    name,
    baseUrl,
    lastFour: '',
    service: null,
    serviceReadAt: null,
    lastSeenWellAt: null,
    preferredAt,
    ...(kind && { kind }),
    ...(isKindChosen && { isKindChosen }),
    ...(domain !== undefined && { domain }),
    ...(limits && { limits }),
  };
}

/**
 * True if there is no stored request, or if the imported link may replace the request. Requests that are still active
 * or belong to a list are never replaced.
 */
function mayEnd(request: Request | undefined, { url }: ExportedLink): boolean {
  if (!request) return true;
  const { state, groupId } = request;
  return request.url === url && groupId === null && (state === 'undecided' || state === 'failed');
}

/**
 * Converts an imported link. `connectionId` remains null until the server lists the link, because a file cannot prove
 * that the short URL exists (see `merge-service-links.ts`).
 */
function linkOf(link: ExportedLink): Link {
  const { createdAt, expiresAt, elsewhere, isRestricted, tags, ...kept } = link;
  return {
    ...kept,
    connectionId: null,
    createdAt: instantOf(createdAt),
    expiresAt: expiresAt === null ? null : instantOf(expiresAt),
    private: false,
    ...(elsewhere && { elsewhere }),
    ...(isRestricted && { isRestricted }),
    ...(tags && { tags }),
  };
}

/**
 * Converts an imported request. Its result counts as unknown, because another browser may have sent the request since
 * the export. Only the user can send the request again. The idempotency key is kept, so that the server can return an
 * existing link.
 */
function requestOf(
  { createdAt, options: { tags, ...options }, generatedCode, domain, ...request }: ExportedRequest,
  connectionId: string | null,
  index: number,
): Request {
  return {
    ...request,
    options: {
      ...options,
      expiresAt: options.expiresAt === null ? null : new Date(instantOf(options.expiresAt)).toISOString(),
      ...(tags && { tags }),
    },
    connectionId,
    // Bulk lists are not exported, so an imported request belongs to no bulk list.
    groupId: null,
    // Adds one microsecond per entry to the creation time, so that entries with equal times keep their order.
    createdAt: instantOf(createdAt) + index / 1_000,
    state: 'undecided',
    attempts: 0,
    sends: [],
    alone: true,
    problem: null,
    source: 'background',
    private: false,
    ...(generatedCode !== undefined && { generatedCode }),
    ...(domain !== undefined && { domain }),
  };
}

/** Converts a validated time to milliseconds. `Date.parse` is not used because it rejects leap seconds. */
function instantOf(text: string): number {
  return parseDateTime(text) ?? 0;
}
