import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { dayOf, type WaitingClick } from '../domain/analytics/day-counts.ts';
import {
  classifyUserAgent,
  MAX_USER_AGENT_LENGTH,
  referrerHost,
  referrerOrigin,
} from '../domain/analytics/user-agent-and-referrer.ts';
import type { Clock, Random } from '../domain/clock-and-random.ts';
import { clientAddress, type TrustedProxies } from '../http/client-address.ts';
import type { ClickStore } from '../store/sql/click-queries.ts';

/**
 * Headers that browsers send when they only prefetch a page. The first header is standardized. Older versions of
 * Chromium, Firefox and Safari send the other headers.
 */
const PURPOSES: readonly string[] = ['sec-purpose', 'purpose', 'x-moz', 'x-purpose'];
const PREFETCH = /^\s*(prefetch|preview)\b/i;

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
  const agentOf = createCache(classifyUserAgent);
  const referrerOf = createCache(referrerHost);

  function country(request: IncomingMessage): string {
    if (countryHeader === null || !trustedProxies.includes(request.socket.remoteAddress ?? '')) return '';
    const named = String(request.headers[countryHeader] ?? '').toUpperCase();
    return /^[A-Z]{2}$/.test(named) && named !== UNKNOWN_COUNTRY ? named : '';
  }

  return (link, request) => {
    const { headers } = request;
    const at = clock();
    const isPrefetch = PURPOSES.some((name) => PREFETCH.test(String(headers[name] ?? '')));
    // Clicks without a user agent are counted as clicks by bots. For a prefetch, the user agent is omitted, because
    // the user may never see the page.
    const agent = isPrefetch ? '' : (headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH);
    return {
      link,
      at,
      visitor: visitorHash(salts.at(at), clientAddress(request, trustedProxies), agent),
      ...agentOf(agent),
      referrer: referrerOf(referrerOrigin(headers.referer ?? '')),
      country: country(request),
    };
  };
}

/** Country code that Cloudflare and other proxies send if the country is unknown. */
const UNKNOWN_COUNTRY = 'XX';

/**
 * Number of hexadecimal digits in a visitor hash. 12 digits (48 bits) are enough to distinguish a million visitors
 * per link and day.
 */
const DIGITS = 12;

/**
 * Returns a hash that identifies a visitor for one day. Once the day's salt is deleted, the hash cannot be traced
 * back to the visitor. Devices with the same IP address get different hashes if their browsers differ.
 */
function visitorHash(salt: string, address: string, agent: string): number {
  return Number.parseInt(hash('sha256', `${salt}\n${address}\n${agent}`).slice(0, DIGITS), 16);
}

const MAX_CACHED_HEADERS = 5000;

/**
 * Returns a function with a cache of its results. Recognizing browsers and referrers is the slowest step of recording a
 * click, but most clicks have the same few headers.
 */
function createCache<Result extends {}>(parse: (header: string) => Result): (header: string) => Result {
  const known = new LRUCache<string, Result>({ max: MAX_CACHED_HEADERS, memoMethod: parse });
  // Keeps a copy, because a part of a string keeps the whole string in memory. Headers can be long.
  return (header) => known.get(header) ?? known.memo(Buffer.from(header).toString());
}

/** Random salts for visitor hashes. Each day has a different salt. */
export interface Salts {
  /**
   * Returns the salt for the day of the given time. This function is synchronous, because redirects must not wait for
   * the database.
   */
  at(instant: number): string;
  /** Fetches the current salts from the database. */
  refresh(): Promise<void>;
}

const SALT_SIZE = 16;

/**
 * Time before midnight at which the salt for the next day is created, in milliseconds. All processes can then use the
 * same salt from midnight on.
 */
const AHEAD = 5 * 60_000;

export function createSalts(clicks: ClickStore, clock: Clock, random: Random): Salts {
  const salts = new Map<number, string>();

  /** Creates a temporary salt. This process uses it until the database returns the salt that all processes share. */
  function own(day: number): string {
    const salt = Buffer.from(random(SALT_SIZE)).toString('hex');
    salts.set(day, salt);
    return salt;
  }

  return {
    at: (instant) => salts.get(dayOf(instant)) ?? own(dayOf(instant)),
    async refresh() {
      const now = clock();
      const today = dayOf(now);
      for (const day of salts.keys()) if (day < today || day > today + 1) salts.delete(day);
      for (const day of new Set([today, dayOf(now + AHEAD)])) {
        const proposal = Buffer.from(salts.get(day) ?? own(day), 'hex');
        salts.set(day, Buffer.from(await clicks.salt(day, proposal)).toString('hex'));
      }
    },
  };
}
