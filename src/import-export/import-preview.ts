import { parseDateTime } from '@terse/contract/link-fields';
import type { Connection, Link, Request } from '../queue/types.ts';
import type { ExistingData, Imported } from '../storage/save-import.ts';
import type { ExportedConnection, ExportedLink, ExportedRequest } from './export-schema.ts';
import type { Contents } from './import-limits-and-errors.ts';

/** What an import would add, and what of the file is here already. */
export interface ImportPreview {
  imported: Imported;
  alreadyHere: number;
}

/**
 * Holds a file against what is here. Pure: nothing is stored by it. Asked twice: for the preview, and within the transaction
 * that adds, since a connection may have been forgotten or an address shortened while the person was reading.
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
  // After the links: a request whose link is here, or in the same file, has ended.
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
 * Which connection each one of the file is, by the id that it has or gets here: one here with its id and address, or the
 * only one with its address on both sides (two keys of one service stay two). An id that leads to another service here says
 * nothing: such a connection comes under an id of its own.
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
      // The same each time the file is read, so that a second import adds nothing.
      return [id, twin?.id ?? (same ? `${id}@${baseUrl}` : id)];
    }),
  );
}

/** The service has to say anew what it can: relied on from a file, it could make links twice. */
function connectionOf({ id, name, baseUrl }: ExportedConnection, preferredAt: number): Connection {
  return { id, name, baseUrl, lastFour: '', service: null, serviceReadAt: null, lastSeenWellAt: null, preferredAt };
}

/**
 * Whether a link may take the place of the request with its id. A link has the id of the request that made it, and one that
 * waits for the person may have been made since where it came from. Any other goes on by itself, and gets the same link. What a
 * list comes to is handed out as a whole, so a file has no part in it.
 */
function mayEnd(request: Request | undefined, { url }: ExportedLink): boolean {
  if (!request) return true;
  const { state, groupId } = request;
  return request.url === url && groupId === null && (state === 'undecided' || state === 'failed');
}

/**
 * A file is not believed that a short URL leads to a page, be it on the host of a connection here: it may never have been made,
 * or be gone since. The link is of no connection until its service names it: see `merge-service-links.ts`.
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
 * A request of a file may have been sent since by the browser that wrote it: it is undecided, so that only the person sends
 * it, under the key that it had. A service that knows the key answers with the first link.
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
    // Each is the person's to decide, and its group is not in the file.
    groupId: null,
    // Those of one millisecond keep their order.
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

/** An instant as the reader of the file has let it pass, in milliseconds: `Date.parse` knows no leap seconds. */
function instantOf(text: string): number {
  return parseDateTime(text) ?? 0;
}
