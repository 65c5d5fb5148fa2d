import { useCallback, useMemo, useRef, useState } from 'preact/hooks';
import type { Connection, Link } from '../queue/types.ts';
import { uiLocale } from '../ui/strings.ts';
import { type Filter, filterLinks, hasAllOf, type Sort, sortLinks } from './arrange.ts';
import { useSearchTexts } from './use-search-texts.ts';

const EVERY: Filter = { query: '', show: 'all', connectionId: null };

/**
 * Links as the person wants them listed, and what they want.
 *
 * @param query what is looked for at first
 */
export function useArranged(links: Link[], connections: Connection[], query = '') {
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
