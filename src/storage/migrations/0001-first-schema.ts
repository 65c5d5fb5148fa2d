import type { IDBPDatabase } from 'idb';

/** Data of schema version 1. Data from private windows was never stored in the database. */
export interface Version1 {
  connection: Connection | null;
  apiKey: string | null;
  queue: QueueState | null;
  quotas: Quota[];
  requests: Request[];
  links: Link[];
}

interface Connection {
  id: string;
  baseUrl: string;
  lastFour: string;
  service: { name: string; shortBaseUrl: string; features: string[] } | null;
}

interface QueueState {
  attempt: Attempt | null;
  lastEndedAt: number | null;
  pause: { until: number; reason: 'throttle' | 'quota' | 'unreachable' | 'busy'; told?: boolean } | null;
  failures: number;
  halt: 'unauthorized' | 'not_a_service' | 'redirected' | 'permission' | null;
  lastSeen: number;
}

export interface Attempt {
  connectionId: string;
  idempotencyKey: string;
  requestIds: string[];
  path: '/api/shorten' | '/api/v1/urls/batch';
  body: string;
  firstSentAt: number;
  private: boolean;
  inFlight: boolean;
  misread?: number;
}

interface Quota {
  connectionId: string;
  gapMs: number;
  quota: { limit: number; windowMs: number };
  told: { remaining: number; resetAtService: number; windowMs: number } | null;
  sends: { atService: number; confirmed: boolean }[];
  evidence: { local: number; service: number; lifetime: string } | null;
}

export interface Request {
  id: string;
  url: string;
  title: string;
  state: 'waiting' | 'sending' | 'failed' | 'unknown';
  createdAt: number;
  idempotencyKey: string;
  attempts: number;
  problem: { code: ProblemCode; message: string } | null;
  private: boolean;
}

type ProblemCode =
  | 'invalid_url'
  | 'unauthorized'
  | 'short_code_taken'
  | 'refused'
  | 'not_a_service'
  | 'redirected'
  | 'throttled'
  | 'quota_exceeded'
  | 'busy'
  | 'timeout'
  | 'no_answer'
  | 'server_error'
  | 'not_understood'
  | 'interrupted';

export interface Link {
  id: string;
  url: string;
  title: string;
  shortUrl: string;
  createdAt: number;
  private: boolean;
}

export function createFirst(database: IDBPDatabase): void {
  database.createObjectStore('requests', { keyPath: 'id' });
  const links = database.createObjectStore('links', { keyPath: 'id' });
  links.createIndex('createdAt', 'createdAt');
  links.createIndex('url', 'url');
  database.createObjectStore('state');
  database.createObjectStore('secrets');
}
