import type { ServiceLinkMessage, ServiceLinkValues } from '../../messages/protocol.ts';
import { openServer } from '../../services/adapters.ts';
import { callServer } from '../../services/call-server.ts';
import type { Exchange } from '../../services/http-exchange.ts';
import { isIdempotent } from '../../services/known-service.ts';
import { type ServiceResult, serviceFailure } from '../../services/link-operations.ts';
import type { Fetch, ServiceAdapter, ServiceContext } from '../../services/service-adapter.ts';
import type { Store } from '../../storage/store.ts';
import { isPathSegment } from '../../urls/shortenable-url.ts';

export interface ServiceLinkDependencies {
  store: Store;
  fetch: Fetch;
  permitted: (baseUrl: string) => Promise<boolean>;
  closeConnections: (baseUrl: string) => Promise<void>;
}

/**
 * Asks a service about its links on behalf of a page, without using quota. The page never receives the API key. If a
 * link is deleted at the service, this also deletes the local copy, because the page may close before it can.
 */
export async function askServiceAboutLinks(
  { store, fetch, permitted, closeConnections }: ServiceLinkDependencies,
  message: ServiceLinkMessage,
): Promise<ServiceResult<Value>> {
  const { connectionId, baseUrl } = message;
  const found = await store.readWithKey(connectionId);
  // If the connection's address has changed, the short code may belong to a different link at the new service.
  if (found?.connection.baseUrl !== baseUrl) return serviceFailure('no_connection');
  if (!(await permitted(baseUrl))) return serviceFailure('permission');
  if (message.type !== 'list-links' && !isPathSegment(message.shortCode)) return serviceFailure('unreachable');
  // This rule makes the browser close network connections. If the browser rejects it, the extension sends no POST
  // requests to the service anyway, so the error can be ignored here.
  if (!isIdempotent(found.connection)) await closeConnections(baseUrl).catch(() => undefined);
  const server = openServer(fetch, found.connection, found.apiKey, Date.now());
  const result = await callServer<Value>(server, (adapter, context) => exchangeOf(message, adapter, context));
  if (message.type === 'delete-link' && !('problem' in result)) await store.removeLinks([message.linkId]);
  return result;
}

type Value = ServiceLinkValues[ServiceLinkMessage['type']];

/** Returns the operation for a message, or undefined if the server lacks it. */
function exchangeOf(
  message: ServiceLinkMessage,
  adapter: ServiceAdapter,
  context: ServiceContext,
): Exchange<ServiceResult<Value>> | undefined {
  if (message.type === 'list-links') return adapter.list?.(message.cursor, context);
  if (message.type === 'look-up-code') return adapter.codeUse?.(message.shortCode, context);
  const { shortCode, shortUrl = '' } = message;
  const link = { shortCode, shortUrl };
  if (message.type === 'edit-link') return adapter.edit?.(link, message.changes, context);
  if (message.type === 'delete-link') return adapter.delete?.(link, context);
  return adapter.clicks?.(link, context);
}
