import type { IncomingMessage } from 'node:http';
import { MAX_USER_AGENT_LENGTH, referrerOrigin } from '../domain/analytics/user-agent-and-referrer.ts';
import type { Clock } from '../domain/clock-and-random.ts';
import { clientAddress, type ProxySettings } from '../http/client-address.ts';
import type { Journal } from './journal-writer.ts';
import { createVisitors, type Salts } from './visitor-hash.ts';

/** Headers of a request that describe its click. */
export interface ClickHeaders {
  agent: string;
  referrer: string;
  /** True if the browser prefetches a page that the user may never open. */
  isPrefetch: boolean;
}

/**
 * Headers in which browsers name the purpose of a request: that of the Fetch standard, then those of older Chromium,
 * Firefox and Safari.
 */
const PURPOSES: readonly string[] = ['sec-purpose', 'purpose', 'x-moz', 'x-purpose'];
const PREFETCH = /^\s*(prefetch|preview)\b/i;

/** Header names of other lengths are skipped without comparing them. */
const LENGTHS: ReadonlySet<number> = new Set(['user-agent', 'referer', ...PURPOSES].map(({ length }) => length));

/**
 * Reads the headers from Node's raw list. Building the `headers` object would cost as much as the rest of recording a
 * click. The first of repeated headers counts, as in `headers`.
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

/** Records clicks. Only this part sees visitors' addresses, and it only stores a hash. */
export interface Recorder {
  /** Records a click that is about to be answered. */
  add(link: number, request: IncomingMessage): void;
  /** Writes the recorded clicks. When it returns, they survive a killed process. */
  commit(): void;
}

export interface RecorderServices extends ProxySettings {
  journal: Journal;
  salts: Salts;
  clock: Clock;
  /** Header in which a proxy sends the visitor's country, in lower case. Null if there is none. */
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
      // A prefetched page may never be seen, so it counts as a bot, like a missing User-Agent.
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

/** Value that Cloudflare and others send for an unknown country. */
const UNKNOWN_COUNTRY = 'XX';
