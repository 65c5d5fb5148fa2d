import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import browser from '../../browser/browser.ts';
import { sendToBackground } from '../../messages/ask-background.ts';
import type { Link, VisibleQueues } from '../../queue/types.ts';
import { onLinksChanged, onQueuesChanged } from '../../storage/change-broadcast.ts';
import type { LinkQuery } from '../../storage/links.ts';
import { readLinks, readStoredQueues } from '../../storage/load-page-data.ts';

/**
 * Reads the queues from the database. A popup in a private Firefox window cannot open the database, so it asks the
 * background worker.
 *
 * @throws NoReply if the background worker does not reply
 */
export async function readQueues(): Promise<VisibleQueues> {
  if (!browser.extension.inIncognitoContext) return readStoredQueues();
  const reply = await sendToBackground<VisibleQueues>({ type: 'read-queues' });
  if (!reply.ok) throw new Error(`The background refused to read: ${reply.code}`);
  return reply.value;
}

/** Reads links from the database. A popup in a private Firefox window has no database, and shows no stored links. */
export async function readStoredLinks(query: LinkQuery): Promise<Link[]> {
  return browser.extension.inIncognitoContext ? [] : readLinks(query);
}

/** Stored data that a page shows. `refresh` re-reads the data, and resolves when the page has received it. */
export interface Stored<T, Refresh = () => Promise<T>> {
  value: T;
  refresh: Refresh;
}

/** Returns the queues. They are re-read after the first render and whenever they change. */
export function useQueues(first: VisibleQueues): Stored<VisibleQueues> {
  return useStored(() => readQueues(), onQueuesChanged, first);
}

/**
 * Returns the links that match the current query. They are re-read after the first render and whenever links change.
 * `refresh` can read the links once with another query.
 */
export function useLinks(query: () => LinkQuery, first: Link[]) {
  return useStored((other: LinkQuery = query()) => readStoredLinks(other), onLinksChanged, first);
}

function useStored<T, Query>(
  read: (query?: Query) => Promise<T>,
  watch: (changed: () => void) => () => void,
  first: T,
): Stored<T, (query?: Query) => Promise<T>> & { isRead: boolean } {
  const [value, setValue] = useState(first);
  /** True after the data has been re-read for the first time since the page opened. */
  const [isRead, setRead] = useState(false);
  const latest = useRef(0);
  const current = useRef(read);
  current.current = read;
  const refresh = useCallback(async (query?: Query) => {
    latest.current += 1;
    const reading = latest.current;
    const fresh = await current.current(query);
    // The result of a read is outdated if another read has started since.
    if (reading === latest.current) {
      setValue(fresh);
      setRead(true);
    }
    return fresh;
  }, []);
  useEffect(() => {
    const changed = () => {
      // If a read fails, the page keeps its current data until the next change.
      void refresh().catch(() => undefined);
    };
    const stop = watch(changed);
    // A change between the first read and the subscription would be missed, so the data is re-read once.
    changed();
    return stop;
  }, [refresh, watch]);
  return { value, isRead, refresh };
}
