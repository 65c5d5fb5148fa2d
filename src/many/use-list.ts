import { useCallback, useMemo, useState } from 'preact/hooks';
import type { IsOwnShortUrl } from '../target/target.ts';
import type { UrlDefaults } from '../target/url-defaults.ts';
import { type AddressList, EMPTY_LIST, type Entry, type Found, withFound } from './entries.ts';

/** The list that is being put together, and which of it is to be sent. */
export function useList(isOwn: IsOwnShortUrl, defaults: UrlDefaults) {
  const [list, setList] = useState<AddressList>(EMPTY_LIST);
  const [unchosen, setUnchosen] = useState<ReadonlySet<string>>(new Set());
  const add = useCallback(
    (found: Found[]) => setList((before) => withFound(before, found, isOwn, defaults, () => crypto.randomUUID())),
    [isOwn, defaults],
  );
  const choose = useCallback(
    (ids: string[], isChosen: boolean) =>
      setUnchosen((before) => {
        const next = new Set(before);
        for (const id of ids) isChosen ? next.delete(id) : next.add(id);
        return next;
      }),
    [],
  );
  /** Takes addresses out of the list that have been accepted. */
  const takeOut = useCallback((ids: ReadonlySet<string>) => {
    setList(({ entries, invalid }) => ({ entries: entries.filter(({ id }) => !ids.has(id)), invalid }));
  }, []);
  const clear = useCallback(() => setList(EMPTY_LIST), []);
  const removeInvalid = useCallback(() => setList(({ entries }) => ({ entries, invalid: [] })), []);
  const chosen = useMemo(() => list.entries.filter(({ id }) => !unchosen.has(id)), [list.entries, unchosen]);
  return { list, chosen, unchosen, add, choose, takeOut, clear, removeInvalid };
}

export type ListState = ReturnType<typeof useList>;

/** What the background is asked to accept: the addresses, under the ids that they have in the list. */
export function ordersOf(entries: Entry[]): { id: string; url: string; title: string }[] {
  return entries.map(({ id, url, title }) => ({ id, url, title }));
}
