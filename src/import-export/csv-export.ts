import { BYTE_ORDER_MARK, csvLine } from '@terse/contract/csv';
import type { Link } from '../queue/types.ts';
import { formatTags } from '../servers/parse-and-format-tags.ts';

/** Returns links as CSV, in the given order. Times are in UTC, in ISO 8601 format. */
export function linksToCsv(links: Link[]): string {
  const rows = links.map(({ shortUrl, url, title, createdAt, tags }) => {
    return [shortUrl, url, title, new Date(createdAt).toISOString(), formatTags(tags)];
  });
  return BYTE_ORDER_MARK + [['shortUrl', 'url', 'title', 'createdAt', 'tags'], ...rows].map(csvLine).join('');
}
