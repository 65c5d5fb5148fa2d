import type { StoredLink } from '../domain/links/stored-link.ts';
import type { LinkOrder, LinkPosition, LinkStore } from './interface/link-store.ts';

/** Maximum number of links that one search reads in total and at once. Other requests run in between. */
const MAX_LINKS_READ = 20_000;
const LINKS_PER_READ = 500;

export interface PageQuery {
  accountId: number;
  /** Last link that the previous page read; null for the first page. */
  after: LinkPosition | null;
  limit: number;
  /** Lists only the links of this key, newest first, for a key that can see only its own links. */
  keyId?: number;
  /** `newest` by default. */
  order?: LinkOrder;
  /** Filter of a search; null for all links. */
  matches: ((link: StoredLink) => boolean) | null;
}

export interface Page {
  links: StoredLink[];
  /** Last link that was read, where the next page starts; null on the last page. */
  last: StoredLink | null;
}

/**
 * Returns one page of an account's links. Pages start after a key, so that new links do not shift them. A search
 * reads a limited number of links, so a page can be short or empty although a next page exists.
 *
 * @param pause lets other requests run between two reads
 */
export async function pageOfLinks(links: LinkStore, query: PageQuery, pause: () => Promise<unknown>): Promise<Page> {
  const { accountId, keyId, limit, matches, order = 'newest' } = query;
  const found: StoredLink[] = [];
  let { after } = query;
  let last: StoredLink | null = null;
  for (let looked = 0; looked < MAX_LINKS_READ; looked += LINKS_PER_READ) {
    // One more than the limit shows if there is a next page.
    const batchSize = matches ? LINKS_PER_READ : limit + 1;
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
    await pause();
  }
  return { links: found, last };
}

/** Fields that a search compares. */
interface Searchable {
  code: string;
  url: string;
  title: string | null;
}

/**
 * Returns a filter that is true if code, URL or title contain the text. It ignores case and the composition of
 * accents.
 */
export function matcher(text: string): (link: Searchable) => boolean {
  const searched = foldCase(text.trim());
  return ({ code, url, title }) => [code, url, title ?? ''].some((part) => foldCase(part).includes(searched));
}

function foldCase(text: string): string {
  // Most texts are ASCII, which need no normalization.
  return (/[^\0-\x7f]/.test(text) ? text.normalize('NFKC') : text).toLowerCase();
}
