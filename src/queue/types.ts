import type { NewCodes } from '@terse/contract/service-capabilities';
import type { Expiry } from './default-expiry.ts';

/** All instants are milliseconds since the epoch by this computer's clock, unless a name says `service`. */

/**
 * One order to shorten, from acceptance to its end.
 *
 *   waiting -> sending -> done          its link is stored, the request's record ends
 *                |------> waiting       refused for now: the queue pauses
 *                |------> failed        refused for good
 *                |------> unanswered    no answer that tells; the same bytes go again under the same key, by itself
 *                '------> undecided     only the person can decide: it may exist already, and asking again may double it
 */
export interface Request {
  /** Minted by who asks, so asking twice is accepting once. */
  id: string;
  /** The queue it is in. Null: its connection was forgotten, and the next one that is added takes it. */
  connectionId: string | null;
  /** What was ordered together (a list of addresses) shares a group. */
  groupId: string | null;
  url: string;
  /** The page's own title, for display here. What is sent as a title is among the options. */
  title: string;
  options: LinkOptions;
  /**
   * Default lifetime, if the user chose no options. It starts when the request is first sent: from then on the options hold
   * the date. Absent: no default applies.
   */
  defaultExpiry?: Expiry;
  state: 'waiting' | 'sending' | 'failed' | 'unanswered' | 'undecided';
  createdAt: number;
  /** Its place in line, where the person has given it another: see `line.ts`. */
  position?: number;
  /** Minted at acceptance, sent with every attempt. */
  idempotencyKey: string;
  /** Times it has been sent since the person last asked for it. */
  attempts: number;
  /** Its sends that the person did not ask for one by one, as long as they count against its share of a day. */
  sends: Send[];
  /** A batch with it in was refused as a whole, so it goes by itself. */
  alone: boolean;
  /** What the last attempt came to; null before the first. */
  problem: Problem | null;
  /** Who tells the person what became of it: the popup it was asked in, or the background. */
  source: 'popup' | 'background';
  /** From a private window: kept in memory alone. */
  private: boolean;
  /** The code that was minted for it here. Absent: the person chose one, or the service makes one up. */
  minted?: GeneratedCode;
  /** The short URL that the person has had since before it worked: copied, or shown as a QR code. */
  handedOut?: string;
  /** It has left a queue that was on hold: the queue that takes it in is put on hold as soon as it waits there. */
  onHold?: true;
}

/** Addresses that were ordered together. What each has come to is found by its id. */
export interface Group {
  /** Minted by who asks, as a request's id is. */
  id: string;
  /** Of requests and the links they end in, and of links that were there already: in the order of the list. */
  ids: string[];
  createdAt: number;
  private: boolean;
}

export interface GeneratedCode {
  code: string;
  /** How many that were minted before it somebody else had. */
  taken: number;
}

/** What the person asks for beyond the long URL. Null: not asked for. */
export interface LinkOptions {
  shortCode: string | null;
  title: string | null;
  /** RFC 3339, as it goes to the service. */
  expiresAt: string | null;
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
  | 'target_refused'
  | 'unauthorized'
  | 'forbidden'
  | 'short_code_taken'
  | 'invalid_short_code'
  | 'expired'
  | 'refused'
  | 'not_a_service'
  | 'redirected'
  | 'gateway_refused'
  // waiting: refused for now
  | 'throttled'
  | 'quota_exceeded'
  | 'busy'
  // unanswered or undecided: it may have been created
  | 'timeout'
  | 'no_answer'
  | 'server_error'
  | 'not_understood'
  | 'interrupted';

/** A short link: made by this extension, or listed by a service. */
export interface Link {
  /** The request's that made it; of one made elsewhere, what `listedId` makes of its connection and code. */
  id: string;
  /** Null: the connection that made it was forgotten. */
  connectionId: string | null;
  groupId: string | null;
  url: string;
  title: string;
  shortUrl: string;
  shortCode: string;
  createdAt: number;
  expiresAt: number | null;
  private: boolean;
  /** Its short URL, or one that it was to have, was handed out before it worked. */
  handedOut?: true;
  /** What was handed out, where it is not this short URL. */
  replaces?: string;
  /** As the service counted when it was last read. Absent: it has never listed this link. */
  clicks?: number;
  /** Not made here: all that is known of it is what the service lists. */
  elsewhere?: true;
  /** Made here, and the service listed it no more when it was last read: deleted there, or not for this key to see. */
  unlisted?: true;
  /** From a file, and of no connection: no service has said yet that it leads to its URL. It is shown, and given out nowhere. */
  unconfirmed?: true;
}

/** A service address and what is known of it; its API key is stored apart and never shown. */
export interface Connection {
  /** Stays the same when its key is replaced. */
  id: string;
  /** The person's own name for it; empty: the service's name or host is shown. */
  name: string;
  baseUrl: string;
  lastFour: string;
  /** From the service document; null for a service that has none. */
  service: ServiceInfo | null;
  /** When the service document was last read; null: never. */
  serviceReadAt: number | null;
  /** When the service last answered well: it was there, and did not refuse the key. Null: never. */
  lastSeenWellAt: number | null;
  /** The highest is the default connection. */
  preferredAt: number;
  /** The last time that its service's list was read to the end; absent: never. */
  listRead?: ListReading;
}

export interface ListReading {
  /** When it began: what it tells was so then or later. */
  at: number;
  /** Records that were no links. */
  unreadable: number;
  /** There are older links, which were not read. */
  isCut: boolean;
}

export interface ServiceInfo {
  name: string;
  shortBaseUrl: string;
  features: string[];
  /** What its codes are made of; absent where it does not say. */
  codes?: NewCodes;
  /** Kinds of targets that it refuses; absent if it does not say. */
  refusedTargets?: string[];
}

/** The requests of one POST, and the exact bytes sent: a resend under the same key must be the same. */
export interface Attempt {
  id: string;
  connectionId: string;
  idempotencyKey: string;
  requestIds: string[];
  path: '/api/shorten' | '/api/v1/urls' | '/api/v1/urls/batch';
  body: string;
  /** By the service's clock: services forget idempotency keys after a time. */
  firstSend: Send;
  private: boolean;
  /** True once `sending` has been committed and no end has been. At most one attempt of a queue is. */
  inFlight: boolean;
  /** Times it was sent. */
  sends: number;
  /** Ended without an answer that tells, and no probe has said yet whether the service is well. */
  suspect: boolean;
  /** Number of sends that were turned away before the service did anything with them. Absent: none. */
  refusals?: number;
  /** True if the service has not been asked for its short codes since it was last sent. */
  lookUpDue?: boolean;
  /** Times it was parked, by which its back-off grows. */
  parks: number;
  /** Not sent before this; null when nothing holds it back. */
  parkedUntil: number | null;
}

/** Why nothing can be sent before the person acts. Each ends only by what it waits for (`endHalt`). */
export type BlockReason = 'unauthorized' | 'forbidden' | 'key_missing' | 'not_a_service' | 'redirected' | 'permission';

export interface QueueState {
  /** When the last attempt ended, answered or not (until then: when it was sent); pacing counts from here. */
  lastEndedAt: number | null;
  /** Nothing is sent before this; null when nothing stands in the way. */
  pause: Delay | null;
  /** Number of attempts and probes that failed, with no success between. The back-off grows with it. */
  failures: number;
  /** The last attempt ended without an answer that tells; a probe has to say whether the service is well. */
  probeDue: boolean;
  /**
   * True if the last answer to a POST was not understood, on a service that may have made the link. While it is set, a page
   * that answers a probe does not show that the service is there.
   */
  isDoubtful?: true;
  halt: BlockReason | null;
  /** The person has put the queue on hold: nothing is sent before they let it go on, whatever else happens. */
  onHold?: true;
  /** The latest time seen, by which a clock set back is noticed. */
  latestTime: number;
}

export interface Delay {
  until: number;
  reason: DelayReason;
  /** The service named the time; otherwise it is a guess of ours, which the person may cut short. */
  named: boolean;
}

/** `unprotected`: the browser does not let us keep it from sending a POST twice (see `connection-close.ts`). */
export type DelayReason = 'throttle' | 'quota' | 'unreachable' | 'busy' | 'unprotected';

/** What the key may still send. */
export interface Quota {
  /** Least milliseconds between the end of one attempt and the start of the next. */
  gapMs: number;
  quota: { limit: number; windowMs: number };
  /** The service's own count, where it reports one; instants by the service's clock. */
  reported: { remaining: number; resetAtService: number; windowMs: number } | null;
  /** Every send still counted. */
  sends: Send[];
  /** One moment by both clocks, and the worker that compared them; null while the service reported no time. */
  clockSample: { local: number; service: number; workerId: string } | null;
}

export interface Send {
  /** By the service's clock, as far as known. */
  atService: number;
  /** False while `atService` is an estimate by the local clock. */
  confirmed: boolean;
}

/** Now, and whose clock: under one worker id the clock only runs forward, between two it may have been set or have slept. */
export interface Time {
  now: number;
  workerId: string;
}

/** Everything the rules decide on together, read in one transaction. */
export interface Queue {
  connection: Connection;
  state: QueueState;
  budget: Quota;
  /** Every attempt that has not ended. */
  attempts: Attempt[];
  /** Every request that has not ended in a link, in line. */
  requests: Request[];
}
