import { foldForSearch, searchableUrl } from '@terse/contract';
import { tagKey } from '../domain/links/link-rules.ts';
import { hostOfDomain, type ShortBaseUrls, splitStoredCode } from '../domain/links/short-domains.ts';
import type { StoredLink } from '../domain/links/stored-link.ts';
import type { LinkOrder, LinkPosition } from './sql/link-lists.ts';
import type { LinkStore } from './sql/link-queries.ts';

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
  tag?: string;
  matches: ((link: StoredLink) => boolean) | null;
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
 *
 * @param pause lets the server handle other requests between two queries
 */
export async function pageOfLinks(links: LinkStore, query: PageQuery, pause: () => Promise<unknown>): Promise<Page> {
  const { accountId, keyId, limit, order = 'newest', tag } = query;
  const isIndexed = tag !== undefined && keyId === undefined && order !== 'clicks';
  const matches = tag === undefined || isIndexed ? query.matches : withTag(tag, query.matches);
  const read = (from: LinkPosition | null, max: number) => {
    if (keyId !== undefined) return links.listOfKey(keyId, from, max);
    return isIndexed ? links.listTagged(accountId, tag, from, max, order) : links.list(accountId, from, max, order);
  };
  const found: StoredLink[] = [];
  let { after } = query;
  let last: StoredLink | null = null;
  for (let looked = 0; looked < MAX_LINKS_READ; looked += LINKS_PER_READ) {
    // Without a filter, reads one more link than the page needs, to find out if there is a next page.
    const batchSize = matches ? LINKS_PER_READ : limit + 1;
    const some = await read(after, batchSize);
    for (const link of some) {
      if (found.length === limit) return { links: found, last };
      if (!matches || matches(link)) found.push(link);
      last = link;
    }
    if (some.length < batchSize) return { links: found, last: null };
    after = last;
    await pause();
  }
  return { links: found, last };
}

function withTag(tag: string, matches: PageQuery['matches']): NonNullable<PageQuery['matches']> {
  const key = tagKey(tag);
  return (link) => link.tags.some((other) => tagKey(other) === key) && (matches?.(link) ?? true);
}

/** Conditions for a list of links. An empty string means that the condition does not apply. */
interface Filter {
  /** Text that the short URL, the URL or the title of a link must contain. */
  search?: string | undefined;
  /** Name of the domain to which the links must belong. */
  domain?: string | undefined;
}

/** Returns a function that checks if a link meets all conditions, or null if there are no conditions. */
export function linkFilter(
  { search = '', domain = '' }: Filter,
  baseUrls: ShortBaseUrls,
): ((link: Searchable) => boolean) | null {
  const isFound = search.trim() ? matcher(search) : null;
  if (domain.trim() === '') return isFound;
  const host = hostOfDomain(domain, baseUrls);
  return (link) => splitStoredCode(link.code).host === host && (isFound?.(link) ?? true);
}

interface Searchable {
  code: string;
  url: string;
  title: string | null;
}

/**
 * Returns a function that checks if the short code, URL or title of a link contains `text`. Ignores case. Searches URLs
 * and domains in their encoded and in their readable form.
 */
export function matcher(text: string): (link: Searchable) => boolean {
  const searched = foldForSearch(text.trim());
  return ({ code, url, title }) =>
    [searchableUrl(code), searchableUrl(url), title ?? ''].some((part) => foldForSearch(part).includes(searched));
}
