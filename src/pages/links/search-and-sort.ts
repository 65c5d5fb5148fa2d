import { foldForSearch, searchableUrl } from '@terse/contract/search-text';
import type { Link } from '../../queue/types.ts';

export const SORTS = ['newest', 'clicks'] as const;
export type Sort = (typeof SORTS)[number];

/** Sorts links. The input must be sorted newest first. Links with equally many clicks keep this order. */
export function sortLinks(links: Link[], sort: Sort): Link[] {
  if (sort === 'newest') return links;
  return links.toSorted((one, other) => (other.clicks ?? 0) - (one.clicks ?? 0));
}

/** First character of a query for a tag. */
const TAG_MARK = '#';

/** Returns the query that finds the links with a tag. */
export function tagQuery(tag: string): string {
  return TAG_MARK + tag;
}

/**
 * Returns the links that match a search. Each word of the query must occur in a link's title, URL, short URL or tags,
 * ignoring case. If some of the links have exactly the tag `#animals`, the query `#animals` returns only these.
 */
export function searchLinks(links: Link[], query: string): Link[] {
  const text = foldForSearch(query);
  const words = text.split(/\s+/).filter(Boolean);
  const hasTag = ({ tags = [] }: Link) => tags.some((tag) => foldForSearch(tagQuery(tag)) === text);
  const isTag = text.startsWith(TAG_MARK) && links.some(hasTag);
  const hasWords = (link: Link) => words.every((word) => searchText(link).includes(word));
  return links.filter(isTag ? hasTag : hasWords);
}

export function isExpired({ expiresAt }: Link, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

const texts = new WeakMap<Link, string>();

/**
 * Returns the searchable text of a link, which contains its URLs in their encoded and in their readable form. The text is
 * cached, because each key press in the search field searches all links.
 */
function searchText(link: Link): string {
  const known = texts.get(link);
  if (known !== undefined) return known;
  const tags = (link.tags ?? []).map(tagQuery).join(' ');
  const text = foldForSearch(`${link.title} ${searchableUrl(link.url)} ${searchableUrl(link.shortUrl)} ${tags}`);
  texts.set(link, text);
  return text;
}

/** Number of links whose search texts are computed in one step. One step takes about a millisecond. */
const PART = 1_000;

/**
 * Computes the search texts in chunks, so that the search responds quickly to the first key press. Returns a function
 * that stops this.
 */
export function prepareSearch(links: Link[]): () => void {
  let made = 0;
  const makePart = () => {
    for (const link of links.slice(made, made + PART)) searchText(link);
    made += PART;
    if (made < links.length) timer = setTimeout(makePart);
  };
  let timer = setTimeout(makePart);
  return () => clearTimeout(timer);
}
