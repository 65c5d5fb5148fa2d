import { newLimits } from '../../src/queue/limits.ts';
import type { Connection, Limits, Link, Queue, Request, VisibleQueues } from '../../src/queue/types.ts';
import { aQueue, aRequest } from '../unit/queue/support/queue-builders.ts';

/** A Friday evening in Berlin, the time zone of the gallery and the tests. */
export const NOW = Date.parse('2026-11-20T19:42:00+01:00');
export const TIME = NOW;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export const CONNECTION: Connection = {
  id: 'connection-1',
  name: '',
  baseUrl: 'https://links.example.com',
  lastFour: 'x7Qd',
  service: {
    name: 'Terse',
    shortBaseUrl: 'https://go.example',
    features: ['idempotency', 'batch', 'key', 'rate-limit', 'links', 'analytics', 'tags'],
  },
  serviceReadAt: NOW - 60 * MINUTE,
  lastSeenWellAt: NOW - 12 * MINUTE,
  listRead: { at: NOW - 12 * MINUTE, unreadable: 0, isCut: false },
  preferredAt: 1,
};

const { listRead: _, ...NEVER_READ } = CONNECTION;
/** A connection whose server's links are not known yet. */
export const NOT_LOADED: Connection = NEVER_READ;

/** A server that accepts generated short codes. */
export const MINTING: Connection = {
  ...CONNECTION,
  service: {
    name: 'Terse',
    shortBaseUrl: 'https://go.example',
    features: [...(CONNECTION.service?.features ?? []), 'chosen-codes'],
    codes: { alphabet: '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnopqrstuvwxyz', length: 7 },
  },
};

export const SPEC_ONLY: Connection = { ...CONNECTION, service: null, baseUrl: 'https://go.example' };

export const SECOND_CONNECTION: Connection = {
  ...CONNECTION,
  id: 'connection-2',
  name: 'Work',
  baseUrl: 'https://s.company.example',
  lastFour: 'b2Kp',
  service: { name: 'Terse', shortBaseUrl: 'https://s.company.example', features: ['idempotency', 'batch'] },
  lastSeenWellAt: NOW - 26 * 60 * MINUTE,
  preferredAt: 0,
};

/** A quota with this many links left, which resets at 02:00. */
export function limits(left: number, limit = 20): Limits {
  return {
    ...newLimits(),
    perDay: limit,
    reported: { remaining: left, resetAt: Date.parse('2026-11-21T02:00:00+01:00') },
    sends: Array.from({ length: Math.min(limit - left, 50) }, (_, index) => NOW - index * MINUTE),
  };
}

export function queue(change: Partial<Queue> = {}): Queue {
  return { ...aQueue({ connection: CONNECTION }), limits: limits(13), ...change };
}

/** Data of a page with the given queues. The default is one queue with a healthy connection. */
export function queuesView(queues: Queue[] = [queue()]): VisibleQueues {
  return { queues };
}

let minted = 0;

export function request(change: Partial<Request> = {}): Request {
  minted += 1;
  return aRequest(`request-${minted}`, {
    connectionId: CONNECTION.id,
    url: `https://www.example.org/articles/${minted}`,
    title: 'How to read a river: notes from forty years on the water',
    createdAt: NOW - MINUTE,
    ...change,
  });
}

export function link(change: Partial<Link> = {}): Link {
  minted += 1;
  const shortUrl = change.shortUrl ?? `https://go.example/r1v${minted}`;
  return {
    id: `link-${minted}`,
    connectionId: CONNECTION.id,
    listId: null,
    url: `https://www.example.org/articles/${minted}`,
    title: 'How to read a river: notes from forty years on the water',
    shortUrl,
    shortCode: shortUrl.slice(shortUrl.lastIndexOf('/') + 1),
    createdAt: NOW - MINUTE,
    expiresAt: null,
    ...change,
  };
}

export const LINKS: Link[] = [
  link({
    shortUrl: 'https://go.example/Kx3f9Qp',
    title: 'A field guide to slow software',
    url: 'https://blog.example.net/2026/11/a-field-guide-to-slow-software?utm_source=newsletter',
    createdAt: NOW - 12 * MINUTE,
  }),
  link({
    shortUrl: 'https://go.example/winter-plan',
    title: 'Winter timetable 2026/27 – all lines, all stops (PDF)',
    url: 'https://transit.example.org/timetables/2026-27/winter/all-lines.pdf',
    createdAt: NOW - 5 * 60 * MINUTE,
  }),
  link({
    shortUrl: 'https://go.example/8hTzR4m',
    title: '',
    url: 'https://maps.example.com/@52.5200,13.4050,14z/data=!3m1!4b1!4m5!3m4!1s0x47a84e373f035901',
    createdAt: NOW - 26 * 60 * MINUTE,
  }),
  link({
    shortUrl: 'https://go.example/c9WqJ2v',
    title: 'Είκοσι ήσυχα καφέ της Αθήνας',
    url: 'https://example.gr/%CE%91%CE%B8%CE%AE%CE%BD%CE%B1/%CE%BA%CE%B1%CF%86%CE%AD',
    createdAt: NOW - 4 * DAY,
  }),
  link({
    shortUrl: 'https://go.example/Tn5bXk7',
    title: 'Meeting notes, room 4.12',
    url: 'https://docs.example.com/d/1x9A8s7D6f5G4h3J2k1L0/edit#heading=h.qz8r2',
    createdAt: Date.parse('2025-12-30T10:00:00+01:00'),
  }),
];

/** A title that tries to break the layout: markup, a direction override, and no spaces for line breaks. */
export const HOSTILE_TITLE = '<img src=x onerror="alert(1)">\u202Egnp.exe\u202C "; DROP TABLE links;-- '.repeat(4);
export const HOSTILE_WORDS = `<script>alert(1)</script>\u202E${'annoying'.repeat(60)}`;
export const HOSTILE_URL = `https://evil.example/${'a'.repeat(400)}?q=<script>alert(1)</script>#\u202Efdp.exe`;
