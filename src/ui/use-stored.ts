import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { readLinks, readQueues } from '../messages/read.ts';
import type { Link } from '../queue/types.ts';
import { watchLinks, watchQueues } from '../storage/changes.ts';
import type { LinkQuery, QueuesView } from '../storage/view.ts';

/** What a page shows of the database, and how to read it now: answered once the page has it. */
export interface Stored<T, Refresh = () => Promise<T>> {
  value: T;
  refresh: Refresh;
}

/** The queues, read again once the page stands and on every change of theirs. */
export function useQueues(isPrivate: boolean, first: QueuesView): Stored<QueuesView> {
  return useStored(() => readQueues(isPrivate), watchQueues, first);
}

/**
 * The links of a query as it is by then, read again once the page stands and on every change of links; `refresh` reads by
 * another query once.
 */
export function useLinks(isPrivate: boolean, query: () => LinkQuery, first: Link[]) {
  return useStored((other: LinkQuery = query()) => readLinks(isPrivate, other), watchNewLinks, first);
}

/** Told of links, a page shows them at once, and reads then what it shows of all. */
function watchNewLinks(changed: (change: (links: Link[]) => Link[]) => void): () => void {
  return watchLinks((added) => changed((links) => withLinks(links, added)));
}

/** Links, newest first, with some that are new or different. */
function withLinks(links: Link[], added: Link[]): Link[] {
  if (added.length === 0) return links;
  const byId = new Map(added.map((link) => [link.id, link]));
  const known = links.map((link) => {
    const other = byId.get(link.id) ?? link;
    byId.delete(link.id);
    return other;
  });
  return [...[...byId.values()].reverse(), ...known];
}

function useStored<T, Query>(
  read: (query?: Query) => Promise<T>,
  watch: (changed: (change?: (value: T) => T) => void) => () => void,
  first: T,
): Stored<T, (query?: Query) => Promise<T>> & { isRead: boolean } {
  const [value, setValue] = useState(first);
  /** True once the page has read the value after it opened. */
  const [isRead, setRead] = useState(false);
  const latest = useRef(0);
  const current = useRef(read);
  current.current = read;
  const refresh = useCallback(async (query?: Query) => {
    latest.current += 1;
    const reading = latest.current;
    const fresh = await current.current(query);
    // A read that was overtaken by a later one is old news.
    if (reading === latest.current) {
      setValue(fresh);
      setRead(true);
    }
    return fresh;
  }, []);
  useEffect(() => {
    const changed = (change = (known: T) => known) => {
      setValue(change);
      // A read that fails leaves the page as it is: the next change reads again.
      void refresh().catch(() => undefined);
    };
    const stop = watch(changed);
    // What changed after the page was first read and before it watched was heard by nobody.
    changed();
    return stop;
  }, [refresh, watch]);
  return { value, isRead, refresh };
}
