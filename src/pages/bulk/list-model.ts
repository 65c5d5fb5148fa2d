import { useCallback, useMemo, useState } from 'preact/hooks';
import { MAX_ENTRIES, MAX_FILE_SIZE } from '../../import-export/import-limits-and-errors.ts';
import { findUrlsInText } from '../../urls/find-urls-in-text.ts';
import {
  type IsOwnShortUrl,
  type NotShortenable,
  pageTarget,
  type Target,
  typedTarget,
} from '../../urls/shortenable-url.ts';
import { applyUrlDefaults, type UrlDefaults } from '../../urls/url-defaults.ts';

/** An address of a list, each once. */
export interface Entry {
  /** Of the order that it becomes: minted with the entry, so that sending twice is sending once. */
  id: string;
  /** As it goes out. */
  url: string;
  title: string;
  /** How often the list has named it. */
  times: number;
  userInfoRemoved: boolean;
}

/** What stands in a list and cannot be sent, as it stands there. */
export interface Invalid {
  id: string;
  text: string;
  reason: NotShortenable;
}

/** What a source has of addresses: as they stand there, cleaned up when they are taken into a list. */
export interface Found {
  /** An address, or whatever stands in its place. */
  text: string;
  title: string;
  /** The browser names it, as a tab's: it is not read as something that was typed. */
  isNamed?: true;
  /** A relative link of a file that does not say where on the web it is from. */
  isRelative?: true;
}

export interface AddressList {
  entries: Entry[];
  invalid: Invalid[];
}

export const EMPTY_LIST: AddressList = { entries: [], invalid: [] };

/** One group takes so many. */
export const MAX_URLS = 1_000;

/** The addresses of a text, line by line. A line without any is kept as it is: its reader learns what is wrong with it. */
export function foundInText(text: string): Found[] {
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  return lines.flatMap((line) => {
    const addresses = findUrlsInText(line);
    return (addresses.length > 0 ? addresses : [line.trim()]).map((address) => ({ text: address, title: '' }));
  });
}

/** Takes what was found into a list: what is there already is counted, not listed again. */
export function withFound(
  list: AddressList,
  found: Found[],
  isOwn: IsOwnShortUrl,
  defaults: UrlDefaults,
  newId: () => string,
): AddressList {
  const entries = new Map(list.entries.map((entry) => [entry.url, entry]));
  const invalid = new Map(list.invalid.map((one) => [one.text, one]));
  for (const one of found) {
    const { text, title } = one;
    const target = targetOf(one, isOwn);
    if ('blocked' in target) {
      if (!invalid.has(text)) invalid.set(text, { id: newId(), text, reason: target.blocked });
      continue;
    }
    const { userInfoRemoved } = target;
    const url = applyUrlDefaults(target.url, defaults);
    const known = entries.get(url);
    const next = known
      ? { ...known, title: known.title || title, times: known.times + 1 }
      : { id: newId(), url, title, times: 1, userInfoRemoved };
    entries.set(url, next);
  }
  return { entries: [...entries.values()], invalid: [...invalid.values()] };
}

function targetOf({ text, isNamed, isRelative }: Found, isOwn: IsOwnShortUrl): Target {
  if (isRelative) return { blocked: 'not_a_url' };
  return isNamed ? pageTarget(text, isOwn) : typedTarget(text, isOwn);
}

/** What a source has of addresses, or that it has more than a list takes in at once. */
export type Taken = Found[] | 'too_much';

/** Whether a text is too long to be read line by line: over millions of lines the page would stand still for a minute. */
export function isTooMuch(text: string): boolean {
  if (text.length > MAX_FILE_SIZE) return true;
  const breaks = text.matchAll(/[\r\n]+/g);
  return breaks.drop(MAX_ENTRIES).next().done !== true;
}

/** What was found, where a list takes in so much. */
export function withinLimit(found: Found[]): Taken {
  return found.length > MAX_ENTRIES ? 'too_much' : found;
}

/** The addresses of a text, as far as it is not too much. */
export function takeText(text: string): Taken {
  return isTooMuch(text) ? 'too_much' : withinLimit(foundInText(text));
}

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
export function shortenCommands(entries: Entry[]): { id: string; url: string; title: string }[] {
  return entries.map(({ id, url, title }) => ({ id, url, title }));
}
