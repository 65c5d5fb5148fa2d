/** What the headers of a request tell about its click. */
export interface ClickHeaders {
  agent: string;
  referrer: string;
  /** Whether a browser fetches ahead what a person may open later, as for a link that it expects to be followed. */
  isPrefetch: boolean;
}

/** Where browsers say why they ask: the header of the Fetch standard first, then those of older Chromium, Firefox and Safari. */
const PURPOSES: readonly string[] = ['sec-purpose', 'purpose', 'x-moz', 'x-purpose'];
const PREFETCH = /^\s*(prefetch|preview)\b/i;

/** Names of other lengths are not looked at any closer. */
const LENGTHS: ReadonlySet<number> = new Set(['user-agent', 'referer', ...PURPOSES].map(({ length }) => length));

/**
 * Reads them from a list of names and values, as Node's parser leaves it: to make its `headers` of that list costs a redirect
 * as much as all the rest of noting its click. Of several of a name the first counts, as it does there.
 */
export function readClickHeaders(rawHeaders: readonly string[]): ClickHeaders {
  let agent: string | null = null;
  let referrer: string | null = null;
  let isPrefetch = false;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const written = rawHeaders[at] as string;
    if (!LENGTHS.has(written.length)) continue;
    const name = written.toLowerCase();
    const value = rawHeaders[at + 1] as string;
    if (name === 'user-agent') agent ??= value;
    else if (name === 'referer') referrer ??= value;
    else if (PURPOSES.includes(name)) isPrefetch ||= PREFETCH.test(value);
  }
  return { agent: agent ?? '', referrer: referrer ?? '', isPrefetch };
}
