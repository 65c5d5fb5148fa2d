import { BYTE_ORDER_MARK, csvLine } from '@terse/contract/csv';
import type { Link } from '../queue/types.ts';

/** The links as CSV, newest first, instants as ISO 8601 in UTC. */
export function linksToCsv(links: Link[]): string {
  const rows = links.map((link) => [link.shortUrl, link.url, link.title, new Date(link.createdAt).toISOString()]);
  return BYTE_ORDER_MARK + [['shortUrl', 'url', 'title', 'createdAt'], ...rows].map(csvLine).join('');
}
