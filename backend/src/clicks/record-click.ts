import type { IncomingMessage } from 'node:http';
import { MAX_USER_AGENT_LENGTH, referrerOrigin } from '../domain/analytics/user-agent-and-referrer.ts';
import type { Clock } from '../domain/clock-and-random.ts';
import { clientAddress, type ProxySettings } from '../http/client-address.ts';
import type { Journal } from './journal-writer.ts';
import { createVisitors, type Salts } from './visitor-hash.ts';

export interface ClickHeaders {
  agent: string;
  referrer: string;
  /** True if the browser only prefetches the page. The user may never open it. */
  isPrefetch: boolean;
}

/**
 * Headers that browsers send when they only prefetch a page. The first header is standardized. Older versions of
 * Chromium, Firefox and Safari send the other headers.
 */
const PURPOSES: readonly string[] = ['sec-purpose', 'purpose', 'x-moz', 'x-purpose'];
const PREFETCH = /^\s*(prefetch|preview)\b/i;

/**
 * Lengths of the relevant header names. Headers of other lengths are skipped, which is faster than comparing all
 * names.
 */
const LENGTHS: ReadonlySet<number> = new Set(['user-agent', 'referer', ...PURPOSES].map(({ length }) => length));

/**
 * Reads the headers that describe a click. Parsing all headers would double the cost of recording a click, so only
 * the necessary values are read from `rawHeaders`. If a header is repeated, the first value is used.
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

/** Records clicks. Stores only a hash of each visitor's IP address. */
export interface Recorder {
  add(link: number, request: IncomingMessage): void;
  /** Writes all clicks that were passed to `add` to a file, so that they survive if the process is killed. */
  commit(): void;
}

export interface RecorderServices extends ProxySettings {
  journal: Journal;
  salts: Salts;
  clock: Clock;
  /**
   * Lowercase name of the header in which a proxy sends the visitor's country, or null if no proxy sends a country.
   */
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
      // Clicks without a user agent are counted as clicks by bots. For a prefetch, the user agent is omitted, because
      // the user may never see the page.
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

/** Country code that Cloudflare and other proxies send if the country is unknown. */
const UNKNOWN_COUNTRY = 'XX';
