import { readInstant } from '@terse/contract/instant';
import type { Connection, Link } from '../queue/types.ts';
import type { Imported } from '../storage/add-imported.ts';
import type { QueuesView } from '../storage/view.ts';
import type { Contents } from './contents.ts';
import type { ExportedConnection, ExportedLink, ExportedRequest } from './export-format.ts';

/** What is here already. */
export interface Here {
  queues: QueuesView;
  links: Link[];
}

/** What an import would add, and what of the file is here already. */
export interface Plan {
  imported: Imported;
  alreadyHere: number;
}

/** Holds a file against what is here. Pure: nothing is stored by it. */
export function planImport(contents: Contents, { queues, links }: Here): Plan {
  const here = queues.queues.map(({ connection }) => connection);
  const idHere = mapConnections(contents.connections, here);
  const lowest = Math.min(1, ...here.map(({ preferredAt }) => preferredAt));
  const connections = contents.connections
    .filter(({ id }) => idHere.get(id) === id && !here.some((one) => one.id === id))
    .map((one, index) => connectionOf(one, lowest - 1 - index));
  const known = new Set(links.flatMap(({ id, shortUrl }) => [id, shortUrl]));
  const waiting = new Set(
    [...queues.queues.flatMap(({ requests }) => requests), ...queues.unassigned].map(({ id }) => id),
  );
  const mapped = (id: string | null) => (id === null ? null : (idHere.get(id) ?? null));
  const newLinks = contents.links.filter(({ id, shortUrl }) => !known.has(id) && !known.has(shortUrl));
  const newRequests = contents.requests.filter(({ id }) => !known.has(id) && !waiting.has(id));
  return {
    imported: {
      connections,
      links: newLinks.map((link) => linkOf(link, connectionOfLink(link, mapped(link.connectionId), here))),
      requests: newRequests.map((request, index) => requestOf(request, mapped(request.connectionId), index)),
    },
    alreadyHere:
      contents.connections.length +
      contents.links.length +
      contents.requests.length -
      (connections.length + newLinks.length + newRequests.length),
  };
}

/**
 * Which connection here each one of the file is: itself, where it is here or comes; or the only one with its address, on
 * both sides. Two keys of one service stay two.
 */
function mapConnections(theirs: ExportedConnection[], here: Connection[]): Map<string, string> {
  const only = <T extends { baseUrl: string }>(all: T[], baseUrl: string) => {
    const same = all.filter((one) => one.baseUrl === baseUrl);
    return same.length === 1 ? same[0] : undefined;
  };
  return new Map(
    theirs.map((one) => {
      const isKnown = here.some(({ id }) => id === one.id);
      const twin = !isKnown && only(theirs, one.baseUrl) ? only(here, one.baseUrl) : undefined;
      return [one.id, twin?.id ?? one.id];
    }),
  );
}

/** The service has to say anew what it can: relied on from a file, it could make links twice. */
function connectionOf({ id, name, baseUrl }: ExportedConnection, preferredAt: number): Connection {
  return { id, name, baseUrl, lastFour: '', service: null, serviceReadAt: null, lastSeenWellAt: null, preferredAt };
}

/**
 * The connection a link belongs to. Of a connection that is here it is only where that gives out its links: otherwise a file
 * could have another address handed out as the short URL of a page. Null: none.
 */
function connectionOfLink({ shortUrl }: ExportedLink, mapped: string | null, here: Connection[]): string | null {
  if (mapped !== null && !here.some(({ id }) => id === mapped)) return mapped;
  const givesOut = ({ service, baseUrl }: Connection) =>
    shortUrl.startsWith(`${(service?.shortBaseUrl ?? baseUrl).replace(/\/+$/, '')}/`);
  const owners = here.filter(givesOut);
  return (owners.find(({ id }) => id === mapped) ?? owners[0])?.id ?? null;
}

function linkOf(
  { createdAt, expiresAt, handedOut, replaces, elsewhere, ...link }: ExportedLink,
  connectionId: string | null,
): Link {
  return {
    ...link,
    connectionId,
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
) {
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
    state: 'undecided' as const,
    attempts: 0,
    sends: [],
    alone: true,
    problem: null,
    source: 'background' as const,
    private: false,
    ...(minted && { minted }),
    ...(handedOut !== undefined && { handedOut }),
  };
}

/** An instant as the reader of the file has let it pass, in milliseconds: `Date.parse` knows no leap seconds. */
function instantOf(text: string): number {
  return readInstant(text) ?? 0;
}
