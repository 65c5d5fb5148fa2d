import type { Analytics } from '@terse/contract/analytics';
import { sendToBackground } from '../messages/ask-background.ts';
import type { DeletionFailure, Message, Reply, ServerLink } from '../messages/protocol.ts';
import type { Connection, Link } from '../queue/types.ts';
import {
  type LinkChanges,
  type ListedLink,
  type ServiceFailure,
  type ServiceResult,
  serviceFailure,
} from '../servers/adapter.ts';
import { capabilitiesOf } from '../servers/capabilities.ts';
import { listingConnection } from '../storage/links.ts';
import { isPathSegment } from '../urls/shortenable-url-rules.ts';

/* Calls of pages to servers. The background worker performs them, because only the worker has the API keys. */

type Address = Pick<Connection, 'id' | 'baseUrl'>;

/** Calls a connection's server. Never throws. */
async function askServer<T>(message: Message): Promise<ServiceResult<T>> {
  const reply = await sendToBackground<ServiceResult<T>>(message).catch(() => null);
  return reply?.ok ? reply.value : serviceFailure('unreachable');
}

function onServer({ id, baseUrl }: Address, { shortCode, shortUrl }: Link): ServerLink {
  return { connectionId: id, baseUrl, shortCode, shortUrl };
}

/** Reads a link's click statistics from its server. */
export async function readClicks(connection: Address, link: Link): Promise<Analytics | ServiceFailure> {
  const result = await askServer<Analytics>({ type: 'read-clicks', ...onServer(connection, link) });
  return 'problem' in result ? result : result.value;
}

/** Changes a link on its server and in the history. Returns null, or the problem that prevented the change. */
export async function editLink(connection: Address, link: Link, changes: LinkChanges): Promise<ServiceFailure | null> {
  const message = { type: 'edit-link', linkId: link.id, changes, ...onServer(connection, link) } as const;
  const result = await askServer<ListedLink>(message);
  return 'problem' in result ? result : null;
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
  return sendToBackground({ type: 'delete-links', localIds, servers });
}

/**
 * Returns the connection whose server can edit and delete the link, or null if the link exists only in this browser.
 */
export function connectionOfLink(link: Link, connections: Connection[]): Connection | null {
  return isPathSegment(link.shortCode) ? listingConnection(link, connections) : null;
}

/** True if the link's server can delete links, or if the link exists only in the history. */
export function isDeletable(link: Link, connections: Connection[]): boolean {
  const connection = connectionOfLink(link, connections);
  return connection === null || capabilitiesOf(connection).delete;
}
