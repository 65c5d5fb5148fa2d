import type { Link } from '@terse/contract';
import { domainOf, type ShortBaseUrls, shortUrlOf, splitStoredCode } from './short-codes.ts';

export interface LinkTarget {
  id: number;
  url: string;
  expiresAt: number | null;
  deletedAt: number | null;
  /** True if the visitor's query parameters are added to `url`. If null, the service's default applies. */
  forwardQuery: boolean | null;
}

export interface StoredLink extends LinkTarget {
  /** Short code, preceded by the domain if this is not the default domain. See `storedCode`. */
  code: string;
  accountId: number;
  /** Id of the API key that created the link, if the key can access only its own links. */
  keyId: number | null;
  title: string | null;
  createdAt: number;
  /**
   * Time until which the deletion of the link can be undone. Null if the link is not deleted, or if the deletion is
   * final.
   */
  undoUntil: number | null;
  /** Clicks that this service has counted. */
  clicks: number;
  /** Clicks that another service had counted before the link was imported. */
  importedClicks: number;
  tags: string[];
}

/** A link to create. Its stored code is the first entry of `codes` that was never used before. */
export interface NewLink {
  codes: Iterable<string>;
  url: string;
  title: string | null;
  expiresAt: number | null;
  forwardQuery: boolean | null;
  /** Tags as returned by `normalizeTags`. */
  tags: string[];
  /** Absent if the link was not imported. */
  importedClicks?: number;
}

export type LinkEdit = Partial<Pick<StoredLink, 'url' | 'title' | 'expiresAt' | 'forwardQuery' | 'tags'>>;

/** Returns a link in the form in which its owner sees it. */
export function linkJson(
  link: StoredLink,
  { shortBaseUrls, forwardQuery }: { shortBaseUrls: ShortBaseUrls; forwardQuery: boolean },
): Link {
  return {
    shortCode: splitStoredCode(link.code).code,
    domain: domainOf(link.code, shortBaseUrls),
    shortUrl: shortUrlOf(link.code, shortBaseUrls),
    url: link.url,
    title: link.title,
    createdAt: new Date(link.createdAt).toISOString(),
    expiresAt: link.expiresAt === null ? null : new Date(link.expiresAt).toISOString(),
    clicks: link.clicks,
    importedClicks: link.importedClicks,
    forwardQuery: link.forwardQuery ?? forwardQuery,
    tags: link.tags,
  };
}
