import { foldForSearch, searchableUrl } from '@terse/contract/search-text';
import { displayUrl } from '../../format/display-text.ts';
import type { Link } from '../../queue/types.ts';

export const SORTS = ['newest', 'clicks', 'title', 'address'] as const;
export type Sort = (typeof SORTS)[number];

export const SHOWS = ['all', 'live', 'expired', 'made_here'] as const;
export type Show = (typeof SHOWS)[number];

export interface Filter {
  query: string;
  show: Show;
  /** Null for the links of all connections. */
  connectionId: string | null;
}

/** Sorts links. The input must be sorted newest first. Links with equal sort keys keep this order. */
export function sortLinks(links: Link[], sort: Sort, locale?: string): Link[] {
  if (sort === 'newest') return links;
  if (sort === 'clicks') return links.toSorted((one, other) => (other.clicks ?? 0) - (one.clicks ?? 0));
  const { compare } = new Intl.Collator(locale, { numeric: true });
  // Each key is computed only once, because sorting ten thousand links takes more than a hundred thousand
  // comparisons.
  const keyed = links.map((link) => ({ link, key: sort === 'title' ? titleOf(link) : addressOf(link) }));
  return keyed.sort((one, other) => compare(one.key, other.key)).map(({ link }) => link);
}

/** First character of a query for a tag. */
const TAG_MARK = '#';

/** Returns the query that finds the links with a tag. */
export function tagQuery(tag: string): string {
  return TAG_MARK + tag;
}

/**
 * Returns the links that match a filter. Each word of the query must occur in a link's title, URL, short URL or tags,
 * ignoring case. If some of the shown links have exactly the tag `#animals`, the query `#animals` returns only these.
 *
 * @param now current time in milliseconds, used to decide which links have expired
 */
export function filterLinks(links: Link[], { query, show, connectionId }: Filter, now: number): Link[] {
  const text = foldForSearch(query);
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === 0 && show === 'all' && connectionId === null) return links;
  const shown = links.filter((link) => {
    if (connectionId !== null && link.connectionId !== connectionId) return false;
    if (show === 'made_here') return !link.elsewhere;
    return show === 'all' || isExpired(link, now) === (show === 'expired');
  });
  const hasTag = ({ tags = [] }: Link) => tags.some((tag) => foldForSearch(tagQuery(tag)) === text);
  const isTag = text.startsWith(TAG_MARK) && shown.some(hasTag);
  const hasWords = (link: Link) => words.every((word) => searchText(link).includes(word));
  const found = words.length === 0 ? shown : shown.filter(isTag ? hasTag : hasWords);
  // Returns the same array if the filter removed no link, so that nothing renders again.
  return found.length === links.length ? links : found;
}

/**
 * True if `filter` certainly matches every link that `other` matches. This is the case, for example, if the user only
 * added characters at the end of the query.
 */
export function hasAllOf(filter: Filter, other: Filter): boolean {
  // More links can expire at any time, so an earlier search for expired links may be incomplete.
  const isSameKind = filter.show === other.show && filter.show !== 'expired';
  const text = foldForSearch(filter.query);
  const isLonger = foldForSearch(other.query).startsWith(text);
  // The query `#cat` can match only the exact tag, so the longer query `#cats` may match other links.
  const isTag = text.startsWith(TAG_MARK);
  return isSameKind && !isTag && filter.connectionId === other.connectionId && isLonger;
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

/**
 * Returns the title of a link for sorting. A link without a title is sorted by its URL, because the list displays
 * this URL instead.
 */
function titleOf(link: Link): string {
  return link.title || addressOf(link);
}

function addressOf({ url }: Link): string {
  const { host, rest } = displayUrl(url);
  return host.replace(/^www\./, '') + rest;
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

/** Filter that matches all links. */
export const EVERY: Filter = { query: '', show: 'all', connectionId: null };

/** True if the filter may hide links. */
export function isFiltered({ query, show, connectionId }: Filter): boolean {
  return query !== '' || show !== 'all' || connectionId !== null;
}
