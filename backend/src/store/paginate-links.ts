import type { LinkOrder, LinkPosition, LinkStore, StoredLink } from './interface/store.ts';

/** How many links one request looks at, at most, and how many at a time, so that other requests are not held up. */
const LOOK_AT_MOST = 20_000;
const LOOK_AT_ONCE = 500;

export interface PageQuery {
  accountId: number;
  /** The last link that the previous page looked at; null for the first page. */
  after: LinkPosition | null;
  limit: number;
  /** Only the links this key made, newest first; for a key that sees no others. */
  keyId?: number;
  /** Newest first where it is left out. */
  order?: LinkOrder;
  /** Which links are wanted; null for all. */
  matches: ((link: StoredLink) => boolean) | null;
}

export interface Page {
  links: StoredLink[];
  /** The last link looked at, from which the next page goes on; null where there is no next page. */
  last: StoredLink | null;
}

/**
 * One page of an account's links, in an order. Paged by key, so that links made meanwhile neither shift nor repeat a
 * page. A search looks at a bounded number of links, so a page may hold fewer than asked, even none, and have a next.
 *
 * @param pause lets others run between two looks; resolves when this one may go on
 */
export async function pageOfLinks(links: LinkStore, query: PageQuery, pause: () => Promise<unknown>): Promise<Page> {
  const { accountId, keyId, limit, matches, order = 'newest' } = query;
  const found: StoredLink[] = [];
  let { after } = query;
  let last: StoredLink | null = null;
  for (let looked = 0; looked < LOOK_AT_MOST; looked += LOOK_AT_ONCE) {
    // One more than wanted tells whether there is a next page.
    const most = matches ? LOOK_AT_ONCE : limit + 1;
    const some = await (keyId === undefined
      ? links.list(accountId, after, most, order)
      : links.listOfKey(keyId, after, most));
    for (const link of some) {
      if (found.length === limit) return { links: found, last };
      if (!matches || matches(link)) found.push(link);
      last = link;
    }
    if (some.length < most) return { links: found, last: null };
    after = last;
    await pause();
  }
  return { links: found, last };
}

/** What a search looks at. */
interface Searchable {
  code: string;
  url: string;
  title: string | null;
}

/** Whether code, url or title hold the text, without regard to case or to how accents are composed. */
export function matcher(text: string): (link: Searchable) => boolean {
  const searched = foldCase(text.trim());
  return ({ code, url, title }) => [code, url, title ?? ''].some((part) => foldCase(part).includes(searched));
}

function foldCase(text: string): string {
  // Most texts are ASCII, which normalising would copy for nothing.
  return (/[^\0-\x7f]/.test(text) ? text.normalize('NFKC') : text).toLowerCase();
}
