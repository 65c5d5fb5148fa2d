import { type Connection as ConnectionLink, parseConnectionLink } from '@terse/contract/connection-link';

/**
 * Returns the connection link from the page's address, and removes it from the address. `npm start` opens the page
 * with such a link.
 */
export function takeOfferedConnection(): ConnectionLink | null {
  const link = new URLSearchParams(location.hash.slice(1)).get('connection');
  if (link === null) return null;
  history.replaceState(null, '', location.pathname);
  return parseConnectionLink(link);
}
