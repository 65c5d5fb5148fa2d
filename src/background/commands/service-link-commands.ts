import type { ServiceLinkMessage, ServiceLinkValues } from '../../messages/protocol.ts';
import { type Fetch, isIdempotent } from '../../services/service-adapter.ts';
import {
  editLink,
  listLinks,
  lookUpCode,
  readClicks,
  type ServiceCall,
  type ServiceResult,
  serviceFailure,
} from '../../services/terse/links-api.ts';
import type { Store } from '../../storage/store.ts';
import { isPathSegment } from '../../urls/shortenable-url.ts';

export interface ServiceLinkDependencies {
  store: Store;
  fetch: Fetch;
  permitted: (baseUrl: string) => Promise<boolean>;
  closeConnections: (baseUrl: string) => Promise<void>;
}

/** Asks a service about its links on behalf of a page, without using quota. The page never receives the API key. */
export function askServiceAboutLinks(
  dependencies: ServiceLinkDependencies,
  message: ServiceLinkMessage,
): Promise<ServiceResult<ServiceLinkValues[ServiceLinkMessage['type']]>> {
  const shortCode = message.type === 'list-links' ? null : message.shortCode;
  return callService(dependencies, { ...message, shortCode }, (service) => call(service, message));
}

/** Connection to call, and the short code that the call is about, or null. */
interface ServiceTarget {
  connectionId: string;
  baseUrl: string;
  shortCode: string | null;
}

/** Calls a connection's service with the stored API key. Returns a failure if the service must not be called. */
export async function callService<T>(
  { store, fetch, permitted, closeConnections }: ServiceLinkDependencies,
  { connectionId, baseUrl, shortCode }: ServiceTarget,
  send: (service: ServiceCall) => Promise<ServiceResult<T>>,
): Promise<ServiceResult<T>> {
  const found = await store.readWithKey(connectionId);
  // If the connection's address has changed, the short code may belong to a different link at the new service.
  if (found?.connection.baseUrl !== baseUrl) return serviceFailure('no_connection');
  if (!(await permitted(baseUrl))) return serviceFailure('permission');
  if (shortCode !== null && !isPathSegment(shortCode)) return serviceFailure('unreachable');
  // This rule makes the browser close network connections. If the browser rejects it, the extension sends no POST
  // requests to the service anyway, so the error can be ignored here.
  if (!isIdempotent(found.connection)) await closeConnections(baseUrl).catch(() => undefined);
  return send({ fetch, baseUrl, apiKey: found.apiKey });
}

function call(
  service: ServiceCall,
  message: ServiceLinkMessage,
): Promise<ServiceResult<ServiceLinkValues[ServiceLinkMessage['type']]>> {
  switch (message.type) {
    case 'list-links':
      return listLinks(service, message.cursor);
    case 'edit-link':
      return editLink(service, message.shortCode, message.changes);
    case 'read-clicks':
      return readClicks(service, message.shortCode);
    case 'look-up-code':
      return lookUpCode(service, message.shortCode);
  }
}
