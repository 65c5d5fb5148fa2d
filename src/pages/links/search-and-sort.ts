import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { displayUrl } from '../../format/display-text.ts';
import { uiLocale } from '../../format/i18n.ts';
import type { Connection, Link } from '../../queue/types.ts';

export const SORTS = ['newest', 'clicks', 'title', 'address'] as const;
export type Sort = (typeof SORTS)[number];

export const SHOWS = ['all', 'live', 'expired', 'made_here'] as const;
export type Show = (typeof SHOWS)[number];

/** Which links are listed. */
export interface Filter {
  query: string;
  show: Show;
  /** Null: of every connection. */
  connectionId: string | null;
}

/** Links in an order; given newest first, equal ones stay so. */
export function sortLinks(links: Link[], sort: Sort, locale?: string): Link[] {
  if (sort === 'newest') return links;
  if (sort === 'clicks') return links.toSorted((one, other) => (other.clicks ?? 0) - (one.clicks ?? 0));
  const { compare } = new Intl.Collator(locale, { numeric: true });
  // Each key is made once: ten thousand links are compared a hundred thousand times.
  const keyed = links.map((link) => ({ link, key: sort === 'title' ? titleOf(link) : addressOf(link) }));
  return keyed.sort((one, other) => compare(one.key, other.key)).map(({ link }) => link);
}

/**
 * The links that a filter leaves, which hold every word of its query in their title, URL or short URL, whatever the case.
 *
 * @param now milliseconds: what has expired by then
 */
export function filterLinks(links: Link[], { query, show, connectionId }: Filter, now: number): Link[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && show === 'all' && connectionId === null) return links;
  const found = links.filter((link) => {
    if (connectionId !== null && link.connectionId !== connectionId) return false;
    if (show === 'made_here' && link.elsewhere) return false;
    if ((show === 'live' || show === 'expired') && isExpired(link, now) !== (show === 'expired')) return false;
    if (words.length === 0) return true;
    const text = searchText(link);
    return words.every((word) => text.includes(word));
  });
  // The same list where nothing is left out: whoever shows it has nothing to do.
  return found.length === links.length ? links : found;
}

/** Whether the links of one filter have all those of another in them: a query that is typed on finds less and less. */
export function hasAllOf(filter: Filter, other: Filter): boolean {
  // A link that expires meanwhile is none of those that had expired.
  const isSameKind = filter.show === other.show && filter.show !== 'expired';
  const isLonger = other.query.toLocaleLowerCase().startsWith(filter.query.toLocaleLowerCase());
  return isSameKind && filter.connectionId === other.connectionId && isLonger;
}

export function isExpired({ expiresAt }: Link, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

const texts = new WeakMap<Link, string>();

/** What a link is found by. Made once for each: a keystroke asks it of all. */
export function searchText(link: Link): string {
  const known = texts.get(link);
  if (known !== undefined) return known;
  const text = `${link.title} ${link.url} ${link.shortUrl}`.toLocaleLowerCase();
  texts.set(link, text);
  return text;
}

/** One without a title is listed by what is shown in its place. */
function titleOf(link: Link): string {
  return link.title || addressOf(link);
}

function addressOf({ url }: Link): string {
  const { host, rest } = displayUrl(url);
  return host.replace(/^www\./, '') + rest;
}

/** So many are made at once: in about a millisecond. */
const PART = 1_000;

/** Makes the texts that links are found by, part by part once the page stands, so that the first keystroke need not make them all. */
export function useSearchTexts(links: Link[]): void {
  useEffect(() => {
    let made = 0;
    const makePart = () => {
      for (const link of links.slice(made, made + PART)) searchText(link);
      made += PART;
      if (made < links.length) timer = setTimeout(makePart);
    };
    let timer = setTimeout(makePart);
    return () => clearTimeout(timer);
  }, [links]);
}

const EVERY: Filter = { query: '', show: 'all', connectionId: null };

/**
 * Links as the person wants them listed, and what they want.
 *
 * @param query what is looked for at first
 */
export function useSearchAndSort(links: Link[], connections: Connection[], query = '') {
  const [wanted, setWanted] = useState<Filter>({ ...EVERY, query });
  const [sort, setSort] = useState<Sort>('newest');
  const setFilter = useCallback((change: Partial<Filter>) => setWanted((before) => ({ ...before, ...change })), []);
  // A connection that is forgotten meanwhile is none to choose.
  const isThere = connections.some(({ id }) => id === wanted.connectionId);
  const filter = useMemo(() => (isThere ? wanted : { ...wanted, connectionId: null }), [wanted, isThere]);
  useSearchTexts(links);
  const sorted = useMemo(() => sortLinks(links, sort, uiLocale()), [links, sort]);
  // What expires while the page is open leaves with the next change.
  const last = useRef({ sorted, filter: EVERY, found: sorted });
  const found = useMemo(() => {
    const isPart = last.current.sorted === sorted && hasAllOf(last.current.filter, filter);
    return filterLinks(isPart ? last.current.found : sorted, filter, Date.now());
  }, [sorted, filter]);
  last.current = { sorted, filter, found };
  return { filter, setFilter, sort, setSort, found };
}

/** Whether not every link is listed. */
export function isFiltered({ query, show, connectionId }: Filter): boolean {
  return query !== '' || show !== 'all' || connectionId !== null;
}
