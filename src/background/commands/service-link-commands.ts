import type { ServiceLinkMessage, ServiceLinkValues } from '../../messages/protocol.ts';
import { type Fetch, isIdempotent } from '../../services/service-adapter.ts';
import {
  deleteLink,
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

/**
 * Asks a service about its links on behalf of a page, without using quota. The page never receives the API key. After
 * a link was deleted at the service, also deletes the local copy, because the page may have closed meanwhile.
 */
export async function askServiceAboutLinks(
  { store, fetch, permitted, closeConnections }: ServiceLinkDependencies,
  message: ServiceLinkMessage,
): Promise<ServiceResult<ServiceLinkValues[ServiceLinkMessage['type']]>> {
  const { connectionId, baseUrl } = message;
  const found = await store.readWithKey(connectionId);
  // If the connection's address has changed, the new service may use the same short code for a different link.
  if (found?.connection.baseUrl !== baseUrl) return serviceFailure('no_connection');
  if (!(await permitted(baseUrl))) return serviceFailure('permission');
  if (message.type !== 'list-links' && !isPathSegment(message.shortCode)) return serviceFailure('unreachable');
  // If the browser rejects the rule that closes network connections, the extension sends no POST requests to the
  // service. The error can therefore be ignored here.
  if (!isIdempotent(found.connection)) await closeConnections(baseUrl).catch(() => undefined);
  const result = await call({ fetch, baseUrl, apiKey: found.apiKey }, message);
  if (message.type === 'delete-link' && !('problem' in result)) await store.removeLink(message.linkId);
  return result;
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
    case 'delete-link':
      return deleteLink(service, message.shortCode);
    case 'read-clicks':
      return readClicks(service, message.shortCode);
    case 'look-up-code':
      return lookUpCode(service, message.shortCode);
  }
}
