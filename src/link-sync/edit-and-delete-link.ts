import { sendToBackgroundWithRetry } from '../messages/ask-background.ts';
import type { DeletionFailure, Reply } from '../messages/protocol.ts';
import type { Connection, Link } from '../queue/types.ts';
import { capabilitiesOf } from '../services/connection-capabilities.ts';
import type { LinkChanges, ServiceFailure } from '../services/link-operations.ts';
import { openDatabase } from '../storage/database.ts';
import { listingConnection, mergeListedLink, saveEditedLink } from '../storage/merge-service-links.ts';
import { isPathSegment } from '../urls/shortenable-url-rules.ts';
import { askService } from './ask-service.ts';

/**
 * Changes a link on its server and in the local history. Returns null on success, or the problem that prevented the
 * change.
 */
export async function editLink(
  connection: Connection,
  link: Link,
  changes: LinkChanges,
): Promise<ServiceFailure | null> {
  const { shortCode, shortUrl } = link;
  const result = await askService(connection, { type: 'edit-link', shortCode, shortUrl, changes });
  if ('problem' in result) return result;
  const merged = mergeListedLink(link, connection, result.value, Date.now());
  const edited = 'title' in changes ? { ...merged, title: result.value.title ?? '' } : merged;
  // The service has already changed the link. If updating the local copy fails, the next sync updates it.
  await saveLocally(edited).catch(() => undefined);
  return null;
}

/**
 * Permanently deletes links on their servers and from the local history. Links that no server lists are deleted only
 * from the history. Can be called while a page closes, because the message to the background worker is sent before
 * the function returns.
 *
 * @throws NoReply if the background worker stopped. Links that it did not delete are still in the history.
 */
export function deleteLinks(links: Link[], connections: Connection[]): Promise<Reply<DeletionFailure[]>> {
  const byConnection = Map.groupBy(links, (link) => connectionOfLink(link, connections));
  const localIds = (byConnection.get(null) ?? []).map(({ id }) => id);
  const servers = [...byConnection].flatMap(([connection, listed]) => {
    const references = listed.map(({ id, shortCode, shortUrl }) => ({ id, shortCode, shortUrl }));
    return connection ? [{ connectionId: connection.id, baseUrl: connection.baseUrl, links: references }] : [];
  });
  return sendToBackgroundWithRetry({ type: 'delete-links', localIds, servers });
}

/**
 * Returns the connection whose service can edit and delete the link, or null if the link exists only in this browser.
 */
export function connectionOfLink(link: Link, connections: Connection[]): Connection | null {
  return isPathSegment(link.shortCode) ? listingConnection(link, connections) : null;
}

/** True if the link's server can delete links, or if the link exists only in the history. */
export function isDeletable(link: Link, connections: Connection[]): boolean {
  const connection = connectionOfLink(link, connections);
  return connection === null || capabilitiesOf(connection).delete;
}

async function saveLocally(edited: Link): Promise<void> {
  const database = await openDatabase();
  try {
    await saveEditedLink(database, edited);
  } finally {
    database.close();
  }
}
