import type { IncomingMessage } from 'node:http';
import type { WaitingClick } from '../domain/analytics/day-counts.ts';
import {
  classifyUserAgent,
  MAX_USER_AGENT_LENGTH,
  referrerHost,
  referrerOrigin,
  type UserAgent,
} from '../domain/analytics/user-agent-and-referrer.ts';
import type { Clock } from '../domain/clock-and-random.ts';
import { clientAddress, type TrustedProxies } from '../http/client-address.ts';
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

export interface RecorderServices {
  trustedProxies: TrustedProxies;
  salts: Salts;
  clock: Clock;
  /**
   * Lowercase name of the header in which a proxy sends the visitor's country, or null if no proxy sends a country.
   */
  countryHeader: string | null;
}

/** Describes a click. The result contains only a hash of the visitor's IP address. */
export type DescribeClick = (link: number, request: IncomingMessage) => WaitingClick;

export function createClickDescriber(services: RecorderServices): DescribeClick {
  const { salts, clock, trustedProxies, countryHeader } = services;
  const visitorOf = createVisitors();
  const agentOf = createAgentCache();

  function country(request: IncomingMessage): string {
    if (countryHeader === null || !trustedProxies.includes(request.socket.remoteAddress ?? '')) return '';
    const named = String(request.headers[countryHeader] ?? '').toUpperCase();
    return /^[A-Z]{2}$/.test(named) && named !== UNKNOWN_COUNTRY ? named : '';
  }

  return (link, request) => {
    const headers = readClickHeaders(request.rawHeaders);
    const at = clock();
    // Clicks without a user agent are counted as clicks by bots. For a prefetch, the user agent is omitted, because
    // the user may never see the page.
    const agent = headers.isPrefetch ? '' : headers.agent.slice(0, MAX_USER_AGENT_LENGTH);
    const address = clientAddress(request, trustedProxies);
    return {
      link,
      at,
      visitor: visitorOf(salts.at(at), address, agent),
      ...agentOf(agent),
      referrer: referrerHost(referrerOrigin(headers.referrer)),
      country: country(request),
    };
  };
}

/** Country code that Cloudflare and other proxies send if the country is unknown. */
const UNKNOWN_COUNTRY = 'XX';

/**
 * Maximum number of cached user agents. A full cache is emptied, because searching for its oldest entries would be
 * slower.
 */
const MAX_CACHED = 5000;

/**
 * Returns `classifyUserAgent` with a cache. Recognizing the browser is the slowest step of recording a click, but most
 * clicks come from only a few browsers.
 */
function createAgentCache(): (text: string) => UserAgent {
  const known = new Map<string, UserAgent>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= MAX_CACHED) known.clear();
    const agent = classifyUserAgent(text);
    known.set(text, agent);
    return agent;
  };
}
