import type { IncomingMessage } from 'node:http';
import { AGENT_LIMIT } from '../domain/clicks/agents.ts';
import { readClickHeaders } from '../domain/clicks/click-headers.ts';
import { referrerOrigin } from '../domain/clicks/referrers.ts';
import { clientAddress, type ProxySettings } from '../domain/client-address.ts';
import type { Clock } from '../domain/clock.ts';
import type { Journal } from './journal.ts';
import type { Salts } from './salts.ts';
import { createVisitors } from './visitors.ts';

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
      const agent = headers.isPrefetch ? '' : headers.agent.slice(0, AGENT_LIMIT);
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
