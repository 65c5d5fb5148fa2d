import type { ServiceLinkMessage, ServiceLinkValues } from '../../messages/protocol.ts';
import { type ServiceResult, serviceFailure } from '../../services/link-operations.ts';
import { callServer, type Operation, openServer } from '../../services/servers.ts';
import type { Fetch } from '../../services/service-adapter.ts';
import type { Store } from '../../storage/store.ts';
import { isPathSegment } from '../../urls/shortenable-url-rules.ts';

export interface ServiceLinkDependencies {
  store: Store;
  fetch: Fetch;
  permitted: (baseUrl: string) => Promise<boolean>;
}

/** Reads or edits one of a service's links on behalf of a page, without using quota. The page never receives the API key. */
export function askServiceAboutLinks(
  dependencies: ServiceLinkDependencies,
  message: ServiceLinkMessage,
): Promise<ServiceResult<Value>> {
  return callConnection<Value>(dependencies, message, operationFor(message));
}

/** Server to call. `shortCode` is null if the call does not concern a particular link. */
interface CallTarget {
  connectionId: string;
  baseUrl: string;
  shortCode: string | null;
}

/**
 * Calls a connection's server with the stored API key. Returns a failure without calling the server if the connection
 * has changed, the permission is missing or the short code is invalid.
 */
export async function callConnection<T>(
  { store, fetch, permitted }: ServiceLinkDependencies,
  { connectionId, baseUrl, shortCode }: CallTarget,
  operation: Operation<T>,
): Promise<ServiceResult<T>> {
  const found = await store.readWithKey(connectionId);
  // If the connection's address has changed, the short code may belong to a different link on the new server.
  if (found?.connection.baseUrl !== baseUrl) return serviceFailure('no_connection');
  if (!(await permitted(baseUrl))) return serviceFailure('permission');
  if (shortCode !== null && !isPathSegment(shortCode)) return serviceFailure('unreachable');
  return callServer(openServer(fetch, found.connection, found.apiKey, Date.now()), operation);
}

type Value = ServiceLinkValues[ServiceLinkMessage['type']];

/** Returns the operation for a message. */
function operationFor(message: ServiceLinkMessage): Operation<Value> {
  return (adapter, context) => {
    if (message.type === 'look-up-code') return adapter.codeUse?.(message.shortCode, context);
    const { shortCode, shortUrl = '' } = message;
    const link = { shortCode, shortUrl };
    if (message.type === 'edit-link') return adapter.edit?.(link, message.changes, context);
    return adapter.clicks?.(link, context);
  };
}
