import { addressesIn } from '../target/addresses-in-text.ts';
import { type Blocked, type IsOwnShortUrl, pageTarget, type Target, typedTarget } from '../target/target.ts';
import { applyUrlDefaults, type UrlDefaults } from '../target/url-defaults.ts';

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
  reason: Blocked;
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
export const MOST_ADDRESSES = 1_000;

/** The addresses of a text, line by line. A line without any is kept as it is: its reader learns what is wrong with it. */
export function foundInText(text: string): Found[] {
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  return lines.flatMap((line) => {
    const addresses = addressesIn(line);
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
