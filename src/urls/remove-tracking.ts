import listed from './tracking-parameters.json' with { type: 'json' };

/** Click ids that advertisers add and the list does not have yet. */
const MORE = ['dclid', 'gbraid', 'wbraid', 'msclkid', 'twclid', 'ttclid', 'yclid', 'li_fat_id', 'igshid', 'srsltid'];

const TRACKING = new Set([...listed, ...MORE].map((name) => name.toLowerCase()));

/** An address that is signed as a whole leads nowhere once anything is taken off it. */
const SIGNATURE = /(^|[-_.])(sig|sign|signature|hmac)$/i;

/**
 * Takes off an address what only tells advertisers where a click came from: parameters of a kept list of names that no
 * page needs. Everything else stays as it is, byte for byte.
 *
 * @returns the address, and the names of what was taken off; none where it is signed
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

/** Where a fragment begins to speak to the browser alone: the text that it highlights and scrolls to. */
const DIRECTIVE = ':~:';

/** An address without the text that it highlights; null where it highlights none. */
export function removeTextFragment(address: string): string | null {
  const hash = address.indexOf('#');
  const directive = address.indexOf(DIRECTIVE, hash + 1);
  if (hash < 0 || directive < 0) return null;
  // What is left of the fragment is the page's own.
  return address.slice(0, directive === hash + 1 ? hash : directive);
}
