import { useCallback, useState } from 'preact/hooks';
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

/** A URL of a list. Each URL appears once. */
export interface Entry {
  /** Id of its future request. It is generated with the entry, so that sending the list twice creates no duplicates. */
  id: string;
  /** The cleaned-up URL. */
  url: string;
  title: string;
  /** Number of times the URL appeared in the source. */
  times: number;
  userInfoRemoved: boolean;
}

/** Text in a list that cannot be sent, unchanged. */
export interface Invalid {
  id: string;
  text: string;
  reason: NotShortenable;
}

/** A URL found in a source, before cleaning up. */
export interface Found {
  /** The URL, or other text in its place. */
  text: string;
  title: string;
  /** True if the browser reported the URL, so it is not parsed like typed text. */
  isNamed?: true;
  /** True for a relative link in a file that does not name its base URL. */
  isRelative?: true;
}

export interface AddressList {
  entries: Entry[];
  invalid: Invalid[];
}

export const EMPTY_LIST: AddressList = { entries: [], invalid: [] };

/** Maximum number of URLs in a list. */
export const MAX_URLS = 1_000;

/**
 * Finds the URLs of a text, line by line. A line without a URL is kept, so that the user sees what is wrong with it.
 */
export function foundInText(text: string): Found[] {
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  return lines.flatMap((line) => {
    const addresses = findUrlsInText(line);
    return (addresses.length > 0 ? addresses : [line.trim()]).map((address) => ({ text: address, title: '' }));
  });
}

/** Adds what was found to a list. Duplicates are counted, not added. */
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

/** URLs found in a source, or `too_much` if there are more than a list accepts. */
export type Taken = Found[] | 'too_much';

/** True if a text is too long to search. Millions of lines would block the page for a minute. */
export function isTooMuch(text: string): boolean {
  if (text.length > MAX_FILE_SIZE) return true;
  const breaks = text.matchAll(/[\r\n]+/g);
  return breaks.drop(MAX_ENTRIES).next().done !== true;
}

/** Returns what was found if a list accepts that much. */
export function withinLimit(found: Found[]): Taken {
  return found.length > MAX_ENTRIES ? 'too_much' : found;
}

/** Finds the URLs of a text, unless it is too long. */
export function takeText(text: string): Taken {
  return isTooMuch(text) ? 'too_much' : withinLimit(foundInText(text));
}

/** Holds the list that the user is composing, the text of its field, and the user's choices about entries. */
export function useList(isOwn: IsOwnShortUrl, defaults: UrlDefaults) {
  const [list, setList] = useState<AddressList>(EMPTY_LIST);
  const [text, setText] = useState('');
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map());
  const add = useCallback(
    (found: Found[]) => setList((before) => withFound(before, found, isOwn, defaults, () => crypto.randomUUID())),
    [isOwn, defaults],
  );
  const choose = useCallback(
    (ids: string[], isChosen: boolean) =>
      setChoices((before) => new Map([...before, ...ids.map((id) => [id, isChosen] as const)])),
    [],
  );
  /** Removes accepted entries from the list. */
  const takeOut = useCallback((ids: ReadonlySet<string>) => {
    setList(({ entries, invalid }) => ({ entries: entries.filter(({ id }) => !ids.has(id)), invalid }));
  }, []);
  const clear = useCallback(() => setList(EMPTY_LIST), []);
  const removeInvalid = useCallback(() => setList(({ entries }) => ({ entries, invalid: [] })), []);
  /** True if the field contains text that was not added to the list. */
  const hasText = text.trim() !== '';
  /** True if there is something to return to after the selected entries were sent. */
  const hasRest = list.entries.length + list.invalid.length > 0 || hasText;
  return { list, text, setText, hasText, hasRest, choices, add, choose, takeOut, clear, removeInvalid };
}

export type ListState = ReturnType<typeof useList>;

/**
 * Returns the entries that will be sent. If the user made no choice about an entry, it is sent unless `isFree` is true
 * for its URL.
 *
 * @param isFree true if the URL already has a link or is in the queue
 */
export function selectedEntries(
  { list, choices }: Pick<ListState, 'list' | 'choices'>,
  isFree: (url: string) => boolean,
): Entry[] {
  return list.entries.filter(({ id, url }) => choices.get(id) ?? !isFree(url));
}

/** Returns the shorten commands for entries. They have the ids of the entries. */
export function shortenCommands(entries: Entry[]): { id: string; url: string; title: string }[] {
  return entries.map(({ id, url, title }) => ({ id, url, title }));
}
