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
  /** Closes the sockets of services where a repeated POST on the same socket could create two links. */
  closeConnections: (baseUrl: string) => Promise<void>;
}

/**
 * Asks a service about its links for a page. Costs no quota. Address and API key are read in one transaction, and the key is
 * never returned. A deleted link also leaves the local history here, because the page may be closed by then.
 */
export async function askServiceAboutLinks(
  { store, fetch, permitted, closeConnections }: ServiceLinkDependencies,
  message: ServiceLinkMessage,
): Promise<ServiceResult<ServiceLinkValues[ServiceLinkMessage['type']]>> {
  const { connectionId, baseUrl } = message;
  const found = await store.readWithKey(connectionId);
  // A connection that leads to another service by now may have another link under this short code.
  if (found?.connection.baseUrl !== baseUrl) return serviceFailure('no_connection');
  if (!(await permitted(baseUrl))) return serviceFailure('permission');
  if (message.type !== 'list-links' && !isPathSegment(message.shortCode)) return serviceFailure('unreachable');
  // If the browser refuses the rule that closes sockets, no POST is sent, so this request is safe.
  if (!isIdempotent(found.connection)) await closeConnections(baseUrl).catch(() => undefined);
  const result = await call({ fetch, baseUrl, apiKey: found.apiKey }, message);
  if (message.type === 'delete-link' && !('problem' in result)) await store.removeLinks([message.linkId]);
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
