import { parseDateTime } from '@terse/contract/link-fields';
import type { Connection, Link, Request } from '../queue/types.ts';
import type { ExistingData, Imported } from '../storage/save-import.ts';
import type { ExportedConnection, ExportedLink, ExportedRequest } from './export-schema.ts';
import type { Contents } from './import-limits-and-errors.ts';

/** Entries that an import would add, and the number of those that exist already. */
export interface ImportPreview {
  imported: Imported;
  alreadyHere: number;
}

/**
 * Compares a file with the stored data. It runs twice: for the preview, and within the transaction that adds the
 * entries, because the data may change while the user reads the preview.
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
  // Runs after the links: a request whose link exists, or is in the same file, is done.
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
 * Maps the file's connection ids to local ids. A connection matches one with the same id and address, or the only one
 * with its address on both sides; two keys of one server stay separate. If an id belongs to another server here, the
 * imported connection gets a new id.
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
      // The id is the same for each import of the file, so that a second import adds nothing.
      return [id, twin?.id ?? (same ? `${id}@${baseUrl}` : id)];
    }),
  );
}

/**
 * Returns an imported connection. Its features start unknown and are read from the server. Trusting wrong ones from a
 * file could create links twice.
 */
function connectionOf({ id, name, baseUrl }: ExportedConnection, preferredAt: number): Connection {
  return { id, name, baseUrl, lastFour: '', service: null, serviceReadAt: null, lastSeenWellAt: null, preferredAt };
}

/**
 * True if an imported link may complete the stored request with its id. That holds for a request that waits for the
 * user, since its link may have been created in the other browser. Other requests continue and get the same link. A
 * request of a list is never completed by a file, because a list's result is one unit.
 */
function mayEnd(request: Request | undefined, { url }: ExportedLink): boolean {
  if (!request) return true;
  const { state, groupId } = request;
  return request.url === url && groupId === null && (state === 'undecided' || state === 'failed');
}

/**
 * Returns an imported link without a connection. The file does not prove that the short URL exists, so the link gets
 * its connection when the server lists it (see `merge-service-links.ts`).
 */
function linkOf({ createdAt, expiresAt, handedOut, replaces, elsewhere, ...link }: ExportedLink): Link {
  return {
    ...link,
    connectionId: null,
    createdAt: instantOf(createdAt),
    expiresAt: expiresAt === null ? null : instantOf(expiresAt),
    private: false,
    ...(handedOut && { handedOut }),
    ...(replaces !== undefined && { replaces }),
    ...(elsewhere && { elsewhere }),
  };
}

/**
 * Returns an imported request as uncertain, because the exporting browser may have sent it since. Only the user can
 * send it, under its old idempotency key. A server that knows the key returns the first link.
 */
function requestOf(
  { createdAt, options, minted, handedOut, ...request }: ExportedRequest,
  connectionId: string | null,
  index: number,
): Request {
  return {
    ...request,
    options: {
      ...options,
      expiresAt: options.expiresAt === null ? null : new Date(instantOf(options.expiresAt)).toISOString(),
    },
    connectionId,
    // The user decides about each request, and the file does not contain its group.
    groupId: null,
    // Entries of one millisecond keep their order.
    createdAt: instantOf(createdAt) + index / 1_000,
    state: 'undecided',
    attempts: 0,
    sends: [],
    alone: true,
    problem: null,
    source: 'background',
    private: false,
    ...(minted && { minted }),
    ...(handedOut !== undefined && { handedOut }),
  };
}

/** Parses a time that the schema has accepted, in milliseconds. `Date.parse` does not know leap seconds. */
function instantOf(text: string): number {
  return parseDateTime(text) ?? 0;
}
