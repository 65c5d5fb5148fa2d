import type { IncomingMessage } from 'node:http';
import { MAX_USER_AGENT_LENGTH, referrerOrigin } from '../domain/analytics/user-agent-and-referrer.ts';
import type { Clock } from '../domain/clock-and-random.ts';
import { clientAddress, type ProxySettings } from '../http/client-address.ts';
import type { Journal } from './journal-writer.ts';
import { createVisitors, type Salts } from './visitor-hash.ts';

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

/** Records clicks. Nothing else sees a visitor's address, and it leaves here only as a hash. */
export interface Recorder {
  /** Records a click that is about to be answered. */
  add(link: number, request: IncomingMessage): void;
  /** Writes the recorded clicks. Once it returns, they outlive the process. */
  commit(): void;
}

export interface RecorderServices extends ProxySettings {
  journal: Journal;
  salts: Salts;
  clock: Clock;
  /** A header in which a proxy says the visitor's country, in small letters; null where none does. */
  countryHeader: string | null;
}

export function createRecorder(services: RecorderServices): Recorder {
  const { journal, salts, clock, trustedProxies, countryHeader } = services;
  const visitorOf = createVisitors();

  function country(request: IncomingMessage): string {
    if (countryHeader === null || !trustedProxies.includes(request.socket.remoteAddress ?? '')) return '';
    const named = String(request.headers[countryHeader] ?? '').toUpperCase();
    return /^[A-Z]{2}$/.test(named) && named !== UNKNOWN_COUNTRY ? named : '';
  }

  return {
    add(link, request) {
      const headers = readClickHeaders(request.rawHeaders);
      const instant = clock();
      // Whether anybody will look at it is not known. Without a User-Agent it is counted among the bots.
      const agent = headers.isPrefetch ? '' : headers.agent.slice(0, MAX_USER_AGENT_LENGTH);
      const address = clientAddress(request.socket.remoteAddress ?? '', request, services);
      journal.add(instant, {
        link,
        visitor: visitorOf(salts.at(instant), address, agent),
        agent,
        referrer: referrerOrigin(headers.referrer),
        country: country(request),
      });
    },
    commit: journal.commit,
  };
}

/** What Cloudflare and others send for an unknown country. */
const UNKNOWN_COUNTRY = 'XX';
