import { setImmediate as tick } from 'node:timers/promises';
import { foldForSearch, searchableUrl } from '@terse/contract';
import { tagKey } from '../domain/links/link-rules.ts';
import { hostOfDomain, type ShortBaseUrls, splitStoredCode } from '../domain/links/short-codes.ts';
import type { StoredLink } from '../domain/links/stored-link.ts';
import type { LinkStore } from './sql/link-queries.ts';
import type { LinkOrder, LinkPosition } from './sql/link-rows.ts';

/**
 * Maximum number of links that one search reads. A search runs several queries of up to `LINKS_PER_READ` links, so
 * that the server can handle other requests in between.
 */
const MAX_LINKS_READ = 20_000;
const LINKS_PER_READ = 500;

export interface PageQuery {
  accountId: number;
  /** Last link on the previous page. Null for the first page. */
  after: LinkPosition | null;
  limit: number;
  keyId?: number;
  order?: LinkOrder;
  matches: LinkFilter | null;
}

export interface Page {
  links: StoredLink[];
  /** Last link that was read, after which the next page starts. Null on the last page. */
  last: StoredLink | null;
}

/**
 * Returns one page of an account's links. Each page starts after a given link, so new links do not shift the
 * following pages. A search reads a limited number of links, so a page can be short or even empty although more pages
 * follow.
 */
export async function pageOfLinks(links: LinkStore, query: PageQuery): Promise<Page> {
  const { accountId, keyId, limit, order, matches } = query;
  // Without a filter, reads one more link than the page needs, to find out if there is a next page.
  const batchSize = matches ? LINKS_PER_READ : limit + 1;
  const found: StoredLink[] = [];
  let { after } = query;
  let last: StoredLink | null = null;
  for (let looked = 0; looked < MAX_LINKS_READ; looked += LINKS_PER_READ) {
    const some = await (keyId === undefined
      ? links.list(accountId, after, batchSize, order)
      : links.listOfKey(keyId, after, batchSize));
    for (const link of some) {
      if (found.length === limit) return { links: found, last };
      if (!matches || matches(link)) found.push(link);
      last = link;
    }
    if (some.length < batchSize) return { links: found, last: null };
    after = last;
    // Lets the server handle other requests between two queries.
    await tick();
  }
  return { links: found, last };
}

export type LinkFilter = (link: Pick<StoredLink, 'code' | 'url' | 'title' | 'tags'>) => boolean;

/** Conditions for a list of links. An empty string means that the condition does not apply. */
interface Conditions {
  /** Text that the short URL, the URL or the title of a link must contain. */
  search?: string | undefined;
  /** Name of the domain to which the links must belong. */
  domain?: string | undefined;
  /** Tag that the links must have. Its case is ignored. */
  tag?: string | undefined;
}

/** Returns a function that checks if a link meets all conditions, or null if there are no conditions. */
export function linkFilter(
  { search = '', domain = '', tag = '' }: Conditions,
  baseUrls: ShortBaseUrls,
): LinkFilter | null {
  const conditions: LinkFilter[] = [];
  if (search.trim() !== '') conditions.push(matcher(search));
  if (domain.trim() !== '') {
    const host = hostOfDomain(domain, baseUrls);
    conditions.push(({ code }) => splitStoredCode(code).host === host);
  }
  if (tag !== '') {
    const key = tagKey(tag);
    conditions.push(({ tags }) => tags.some((other) => tagKey(other) === key));
  }
  return conditions.length === 0 ? null : (link) => conditions.every((isMet) => isMet(link));
}

/**
 * Returns a function that checks if the short code, URL or title of a link contains `text`. Ignores case. Searches URLs
 * and domains in their encoded and in their readable form.
 */
export function matcher(text: string): (link: Pick<StoredLink, 'code' | 'url' | 'title'>) => boolean {
  const searched = foldForSearch(text.trim());
  return ({ code, url, title }) =>
    [searchableUrl(code), searchableUrl(url), title ?? ''].some((part) => foldForSearch(part).includes(searched));
}
