import { type Connection as ConnectionLink, parseConnectionLink } from '@terse/contract/connection-link';

/** Returns the connection link in the page's address, as `npm start` opens it, and removes it there. */
export function takeOfferedConnection(): ConnectionLink | null {
  const link = new URLSearchParams(location.hash.slice(1)).get('connection');
  if (link === null) return null;
  history.replaceState(null, '', location.pathname);
  return parseConnectionLink(link);
}
