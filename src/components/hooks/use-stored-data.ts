import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import browser from '../../browser/browser.ts';
import { sendToBackground } from '../../messages/ask-background.ts';
import type { Message } from '../../messages/protocol.ts';
import type { Link, VisibleQueues } from '../../queue/types.ts';
import type { VisibleGroup } from '../../storage/bulk-groups.ts';
import { onLinksChanged, onQueuesChanged } from '../../storage/change-broadcast.ts';
import type { LinkQuery } from '../../storage/link-queries.ts';
import {
  countVisibleLinks,
  readVisibleGroup,
  readVisibleLinks,
  readVisibleQueues,
} from '../../storage/load-page-data.ts';

/*
 * Reads what a page shows, from the database itself where it can be reached. A page in a Firefox private window has a
 * database of its own, an empty one: it asks the background.
 */

/** @throws NoReply */
export async function readQueues(isPrivate: boolean): Promise<VisibleQueues> {
  if (!browser.extension.inIncognitoContext) return readVisibleQueues(isPrivate);
  return askFor({ type: 'read-queues', private: isPrivate });
}

/** @throws NoReply */
export async function readLinks(isPrivate: boolean, query: LinkQuery = {}): Promise<Link[]> {
  if (!browser.extension.inIncognitoContext) return readVisibleLinks(isPrivate, query);
  return askFor({ type: 'read-links', private: isPrivate, query });
}

/**
 * How many links there are, private ones apart.
 *
 * @throws NoReply
 */
export async function countLinks(): Promise<number> {
  if (!browser.extension.inIncognitoContext) return (await countVisibleLinks()).all;
  return (await readLinks(false)).length;
}

/** @throws NoReply */
export async function readGroup(isPrivate: boolean, id: string): Promise<VisibleGroup | null> {
  if (!browser.extension.inIncognitoContext) return readVisibleGroup(isPrivate, id);
  return askFor({ type: 'read-group', private: isPrivate, id });
}

async function askFor<T>(message: Message): Promise<T> {
  const reply = await sendToBackground<T>(message);
  if (!reply.ok) throw new Error(`The background refused to read: ${reply.code}`);
  return reply.value;
}

/** What a page shows of the database, and how to read it now: answered once the page has it. */
export interface Stored<T, Refresh = () => Promise<T>> {
  value: T;
  refresh: Refresh;
}

/** The queues, read again once the page stands and on every change of theirs. */
export function useQueues(isPrivate: boolean, first: VisibleQueues): Stored<VisibleQueues> {
  return useStored(() => readQueues(isPrivate), onQueuesChanged, first);
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
  return onLinksChanged((added) => changed((links) => withLinks(links, added)));
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
