import { Link } from '@terse/contract/link';
import type { ListedLink } from '../storage/listed-links.ts';

/** No service of the contract takes longer ones; in UTF-16 units. */
const LONGEST = { shortCode: 512, url: 4_096, title: 1_000, cursor: 2_048 };

/** One page of a service's list. */
export interface Listing {
  links: ListedLink[];
  /** Records that are no links. */
  unreadable: number;
  /** Null: it was the last page. */
  nextCursor: string | null;
}

/** Reads one page of a list, record by record: one that is no link costs nobody the others. Null: it is no such page. */
export function readListing(body: unknown): Listing | null {
  const { links, nextCursor } = (body ?? {}) as { links?: unknown; nextCursor?: unknown };
  if (!Array.isArray(links)) return null;
  if (nextCursor !== null && (typeof nextCursor !== 'string' || nextCursor.length > LONGEST.cursor)) return null;
  const read = links.map(readListed).filter((link) => link !== null);
  return { links: read, unreadable: links.length - read.length, nextCursor: nextCursor || null };
}

/** A link of the contract, with instants as numbers; null where it is none. */
export function readListed(record: unknown): ListedLink | null {
  const parsed = Link.safeParse(record);
  if (!parsed.success) return null;
  const { shortCode, shortUrl, url, title, createdAt, expiresAt, clicks } = parsed.data;
  if (shortCode === '' || shortCode.length > LONGEST.shortCode || url.length > LONGEST.url) return null;
  return {
    shortCode,
    shortUrl,
    url,
    title: title === null ? null : title.slice(0, LONGEST.title),
    createdAt: Date.parse(createdAt),
    expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
    clicks,
  };
}
