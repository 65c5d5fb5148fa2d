import type { DeletionFailure, Message, ServerLinks } from '../../messages/protocol.ts';
import { type ListedLink, type ServiceResult, serviceFailure } from '../../servers/adapter.ts';
import { deleteLink, editLink as editOnServer, openServer, type Server } from '../../servers/call-server.ts';
import type { Fetch } from '../../servers/http.ts';
import { broadcastChange } from '../../storage/database.ts';
import { saveEditedLink } from '../../storage/links.ts';
import type { Store } from '../../storage/store.ts';
import { isPathSegment } from '../../urls/shortenable-url-rules.ts';

/* Calls to servers about their existing links: reading, editing and deleting. These calls use no quota. */

/** Maximum number of waits for a server's rate limit in one call. */
const MAX_WAITS = 5;

/**
 * Maximum duration of each wait, in milliseconds. It is short because browsers stop a background worker that is idle
 * for 30 seconds.
 */
const MAX_WAIT_MS = 20_000;

export interface ServiceLinkDependencies {
  store: Store;
  fetch: Fetch;
  permitted: (baseUrl: string) => Promise<boolean>;
}

/** Server to call. `shortCode` is absent if the call does not concern a particular link. */
interface CallTarget {
  connectionId: string;
  baseUrl: string;
  shortCode?: string;
}

/**
 * Calls a connection's server with the stored API key. If the server's rate limit refuses the call, waits and calls
 * again. Returns a failure without calling the server if the connection has changed, the permission is missing or the
 * short code is invalid.
 */
export async function callConnection<T>(
  { store, fetch, permitted }: ServiceLinkDependencies,
  { connectionId, baseUrl, shortCode }: CallTarget,
  call: (server: Server) => Promise<ServiceResult<T>>,
): Promise<ServiceResult<T>> {
  for (let waits = 0; ; waits += 1) {
    const found = await store.readWithKey(connectionId);
    // If the connection's address has changed, the short code may belong to a different link on the new server.
    if (found?.connection.baseUrl !== baseUrl) return serviceFailure('no_connection');
    if (!(await permitted(baseUrl))) return serviceFailure('permission');
    if (shortCode !== undefined && !isPathSegment(shortCode)) return serviceFailure('unreachable');
    const result = await call(openServer(fetch, found.connection, found.apiKey, Date.now()));
    if (!('problem' in result) || result.problem !== 'throttled' || waits === MAX_WAITS) return result;
    const waitMs = (result.retryAfterSeconds ?? 1) * 1_000;
    if (waitMs > MAX_WAIT_MS) return result;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** Changes a link on its server, and then its local copy. */
export async function editLink(
  dependencies: ServiceLinkDependencies,
  message: Message & { type: 'edit-link' },
): Promise<ServiceResult<ListedLink>> {
  const { connectionId, linkId, changes } = message;
  const result = await callConnection(dependencies, message, (server) => editOnServer(server, message, changes));
  if (!('value' in result)) return result;
  // The server has already changed the link. If updating the local copy fails, the next sync updates it.
  await dependencies.store
    .writeLinks(async (transaction, queues) => {
      const connection = queues.find((queue) => queue.connection.id === connectionId)?.connection;
      if (connection) await saveEditedLink(transaction, connection, linkId, result.value, 'title' in changes);
    })
    .then(() => broadcastChange({ queues: false, links: true }))
    .catch(() => undefined);
  return result;
}

/**
 * Deletes links on their servers and from the history. After a failure on one server, deletions on the other servers
 * continue. Returns the failures.
 */
export async function deleteLinks(
  dependencies: ServiceLinkDependencies,
  { localIds, servers }: Message & { type: 'delete-links' },
): Promise<DeletionFailure[]> {
  if (localIds.length > 0) await dependencies.store.removeLinks(localIds);
  const failures = await Promise.all(servers.map((server) => deleteOnServer(dependencies, server)));
  // Open pages read all links again after each broadcast, so the whole command sends only one.
  await broadcastChange({ queues: false, links: true });
  return failures.filter((failure) => failure !== null);
}

async function deleteOnServer(
  dependencies: ServiceLinkDependencies,
  { connectionId, baseUrl, links }: ServerLinks,
): Promise<DeletionFailure | null> {
  for (const [index, link] of links.entries()) {
    const target = { connectionId, baseUrl, shortCode: link.shortCode };
    const result = await callConnection(dependencies, target, (server) => deleteLink(server, link));
    if ('problem' in result)
      return { connectionId, problem: result.problem, left: links.slice(index).map(({ id }) => id) };
    // Each local copy is deleted as soon as the server has deleted the link, because the browser may stop the
    // background worker at any time.
    await dependencies.store.removeLinks([link.id]);
  }
  return null;
}
