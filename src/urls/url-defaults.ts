import listed from './tracking-parameters.json' with { type: 'json' };

/** Settings that change the URL of a new link. */
export interface UrlDefaults {
  removeTracking: boolean;
  dropTextFragment: boolean;
}

/** Returns a URL without the parts that the settings remove. */
export function applyUrlDefaults(url: string, { removeTracking, dropTextFragment }: UrlDefaults): string {
  const bare = (dropTextFragment && removeTextFragment(url)) || url;
  return removeTracking ? withoutTracking(bare).url : bare;
}

/** Click id parameters that advertising networks add to URLs and that `tracking-parameters.json` does not contain. */
const MORE = ['dclid', 'gbraid', 'wbraid', 'msclkid', 'twclid', 'ttclid', 'yclid', 'li_fat_id', 'igshid', 'srsltid'];

const TRACKING = new Set([...listed, ...MORE].map((name) => name.toLowerCase()));

/**
 * Matches the name of a query parameter that contains a signature. A signed URL stops working if any part of it
 * changes.
 */
const SIGNATURE = /(^|[-_.])(sig|sign|signature|hmac)$/i;

/**
 * Removes tracking parameters from a URL and leaves the rest unchanged, byte for byte. Does not change signed URLs.
 *
 * @returns the URL, and the names of the removed parameters
 */
export function withoutTracking(address: string): { url: string; removed: string[] } {
  const [, before = '', query = '', after = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address) ?? [];
  const parts = query.split('&').map((part) => ({ part, name: nameOf(part) }));
  const removed = parts.filter(({ name }) => TRACKING.has(name.toLowerCase()));
  if (removed.length === 0 || parts.some(({ name }) => SIGNATURE.test(name))) return { url: address, removed: [] };
  const kept = parts.filter((one) => !removed.includes(one)).map(({ part }) => part);
  const rest = kept.length > 0 ? `?${kept.join('&')}` : '';
  return { url: `${before}${rest}${after}`, removed: [...new Set(removed.map(({ name }) => name))] };
}

function nameOf(part: string): string {
  const [name = ''] = part.split('=', 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Separator in a URL fragment. The text after it tells the browser what to highlight on the page. */
const DIRECTIVE = ':~:';

/** Removes the text to highlight (`:~:text=…`) from a URL. Returns null if there is none. */
export function removeTextFragment(address: string): string | null {
  const hash = address.indexOf('#');
  const directive = address.indexOf(DIRECTIVE, hash + 1);
  if (hash < 0 || directive < 0) return null;
  // The text between `#` and `:~:` is kept, because the page itself may use it.
  return address.slice(0, directive === hash + 1 ? hash : directive);
}
