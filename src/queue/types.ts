/** All instants are milliseconds since the epoch by this computer's clock, unless a name says `service`. */

/**
 * One wish to shorten, from acceptance to its end.
 *
 *   waiting -> sending -> done        (its link is stored, the request's record ends)
 *                |-----> failed       the service refused it for good
 *                |-----> waiting      refused for now: the queue pauses
 *                '-----> unknown      sent, and no answer came back that tells
 */
export interface Request {
  /** Minted by who asks, so asking twice is accepting once. */
  id: string;
  url: string;
  title: string;
  state: 'waiting' | 'sending' | 'failed' | 'unknown';
  createdAt: number;
  /** Minted at acceptance, sent with every attempt. */
  idempotencyKey: string;
  /** Times it has been sent. */
  attempts: number;
  /** What the last attempt came to; null before the first. */
  problem: Problem | null;
  /** From a private window: kept in memory alone. */
  private: boolean;
}

/** Why a request is not done. `message` is the service's own words: untrusted, shown as text. */
export interface Problem {
  code: ProblemCode;
  message: string;
}

/** Every way a request can go wrong, each with a sentence in `_locales` under `problem_<code>`. */
export type ProblemCode =
  // failed: refused for good
  | 'invalid_url'
  | 'unauthorized'
  | 'short_code_taken'
  | 'refused'
  | 'not_a_service'
  | 'redirected'
  // waiting: refused for now
  | 'throttled'
  | 'quota_exceeded'
  | 'busy'
  // unknown: it may have been created
  | 'timeout'
  | 'no_answer'
  | 'server_error'
  | 'not_understood'
  | 'interrupted';

/** A short link this extension made. Its id is the request's. */
export interface Link {
  id: string;
  url: string;
  title: string;
  shortUrl: string;
  createdAt: number;
  private: boolean;
}

/** What the extension knows of the service it talks to; the key itself is stored apart and never shown. */
export interface ConnectionInfo {
  /** Tells this service and key from any other; budgets are kept under it. */
  id: string;
  baseUrl: string;
  lastFour: string;
  /** From the service document; null for a service that has none. */
  service: { name: string; shortBaseUrl: string; features: string[] } | null;
}

/** The requests of one POST, and the exact bytes sent: a resend under the same key must be the same. */
export interface Attempt {
  connectionId: string;
  idempotencyKey: string;
  requestIds: string[];
  path: '/api/shorten' | '/api/v1/urls/batch';
  body: string;
  firstSentAt: number;
  private: boolean;
  /** True once `sending` has been committed and no end has been. */
  inFlight: boolean;
  /** Times it was answered with what nobody can read; not there: never. */
  misread?: number;
}

/** Why nothing can be sent before the person acts. */
export type Halt = 'unauthorized' | 'not_a_service' | 'redirected' | 'permission';

export interface QueueState {
  attempt: Attempt | null;
  /** When the last attempt ended, answered or not; pacing counts from here. */
  lastEndedAt: number | null;
  /** Nothing is sent before this; null when nothing stands in the way. */
  pause: Pause | null;
  /** Consecutive attempts or looks that found no service; the back-off grows with it. */
  failures: number;
  halt: Halt | null;
  /** The latest time seen, by which a clock set back is noticed. */
  lastSeen: number;
}

export interface Pause {
  until: number;
  reason: PauseReason;
  /** The service named the time; otherwise it is a guess of ours, which the person may cut short. */
  told?: boolean;
}

export type PauseReason = 'throttle' | 'quota' | 'unreachable' | 'busy';

/** What the key may still send. */
export interface Budget {
  connectionId: string;
  /** Least milliseconds between the end of one attempt and the start of the next. */
  gapMs: number;
  quota: { limit: number; windowMs: number };
  /** The service's own count, where it tells one; instants by the service's clock. */
  told: { remaining: number; resetAtService: number; windowMs: number } | null;
  /** Every send still counted. */
  sends: Send[];
  /** One moment by both clocks, and in which life of the worker they were compared; null while the service told no time. */
  evidence: { local: number; service: number; lifetime: string } | null;
}

export interface Send {
  /** By the service's clock, as far as known. */
  atService: number;
  /** False while `atService` is an estimate by the local clock. */
  confirmed: boolean;
}

/** Now, and in which life of the worker: within one life the clock only runs forward, between two it may have been set. */
export interface Time {
  now: number;
  lifetime: string;
}

/** Everything the rules decide on, read in one transaction. */
export interface Snapshot {
  connection: ConnectionInfo | null;
  queue: QueueState;
  budget: Budget | null;
  /** Every request that has not ended in a link, oldest first. */
  requests: Request[];
}
