import { readableParts } from '@terse/contract/readable-host';
import type { Connection } from '../queue/types.ts';
import { shortBaseUrlOf } from '../servers/capabilities.ts';

/** Maximum length of displayed text, in UTF-16 code units. */
const SHOWN = 1_000;

const BIDI_CONTROLS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\s\u2800]*$/u;

/**
 * Prepares untrusted text for display: trims and truncates it, and removes characters that change the text direction.
 * Returns `otherwise`, prepared in the same way, if the text has no visible character.
 */
export function displayText(text: string, otherwise = ''): string {
  const shown = text.slice(0, SHOWN).replace(BIDI_CONTROLS, '').trim();
  return INVISIBLE.test(shown) ? otherwise && displayText(otherwise) : shown;
}

/**
 * Splits a URL into its host and the rest for display, see `readableParts`. The host of any other text is empty.
 */
export function displayUrl(url: string): { host: string; rest: string } {
  return readableParts(url) ?? { host: '', rest: displayText(url) };
}

/**
 * Returns the host of a short URL, or null if it is the usual host of this connection's short URLs. Pages show the
 * host so that users notice an unexpected domain before they share the link.
 */
export function otherHost({ shortUrl }: { shortUrl: string }, connection: Connection | undefined): string | null {
  const { host } = displayUrl(shortUrl);
  if (!connection) return host;
  return host === displayUrl(usualBaseUrl(connection)).host ? null : host;
}

/**
 * Returns the base address of a connection's new short URLs. If this address is unknown, returns the server's
 * address.
 */
export function usualBaseUrl({ service, domain, baseUrl }: Connection): string {
  return (service && shortBaseUrlOf(service, domain)) || baseUrl;
}

/**
 * Returns a map from connection id to display name. The display name is the name that the user chose or, if there is
 * none, the server's host. If several connections have the same name, the last characters of the API key are appended
 * to each.
 */
export function connectionNames(connections: Connection[]): Map<string, string> {
  const plain = connections.map(({ name, baseUrl }) => displayText(name) || displayUrl(baseUrl).host);
  return new Map(
    connections.map(({ id, lastFour }, index) => {
      const name = plain[index] ?? '';
      const isAlone = plain.filter((one) => one === name).length === 1;
      return [id, isAlone ? name : `${name} (…${lastFour})`];
    }),
  );
}
