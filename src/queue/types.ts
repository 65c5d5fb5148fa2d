import type { ProblemCode, ServiceInfo } from '../services/service-adapter.ts';

export type { ProblemCode, ServiceInfo };

/**
 * Times are in milliseconds since the epoch by the local clock. Properties with `service` in their name use the
 * server's clock.
 */

/**
 * A request to shorten one URL. Its states:
 *
 *   waiting -> sending -> (deleted)     The link is stored.
 *                |------> waiting       The server asked the extension to wait.
 *                |------> failed        The server refused the request.
 *                |------> unanswered    The result is unknown. The same bytes are sent again automatically.
 *                '------> undecided     The link may exist. Another send may create a second one.
 */
export interface Request {
  /** The caller generates this id. If the same command arrives twice, the second one adds nothing. */
  id: string;
  /**
   * Connection whose queue contains the request. Null if the connection was deleted. The next new connection then
   * adopts the request.
   */
  connectionId: string | null;
  /** Id of the bulk list that contains the request. Null for a single request. */
  groupId: string | null;
  url: string;
  /** Page title for display. The title that is sent to the server is in `options`. */
  title: string;
  options: LinkOptions;
  /**
   * Default link lifetime. It starts when the request is first sent, which sets `options.expiresAt`. Absent if the
   * link has no default lifetime or the user chose options.
   */
  defaultExpiry?: Expiry;
  state: 'waiting' | 'sending' | 'failed' | 'unanswered' | 'undecided';
  createdAt: number;
  /** Idempotency key of the request. It is the same in every send attempt. */
  idempotencyKey: string;
  /** Number of sends since the user last started or retried the request. */
  attempts: number;
  /** Recent automatic sends that count against the daily limit of this request. */
  sends: Send[];
  /** True if the request must not be in a batch, for example because the server refused its previous batch. */
  alone: boolean;
  /** Problem in the last send attempt. Null if there is none. */
  problem: Problem | null;
  /** Part of the extension that reports the result to the user. */
  source: 'popup' | 'background';
  /** True if the request comes from a private window. Such a request is stored only in memory. */
  private: boolean;
  /** Short code that the extension generated. Absent if the user or the server chooses the code. */
  minted?: GeneratedCode;
  /** Short URL that the user copied, or showed as a QR code, before the link existed. */
  handedOut?: string;
}

/** A bulk list: URLs that the user submitted together. */
export interface Group {
  /** Id that the caller generated. */
  id: string;
  /**
   * Ids of the list's requests, of their links, and of links that existed before. They are in the order of the list.
   */
  ids: string[];
  createdAt: number;
  private: boolean;
}

export interface GeneratedCode {
  code: string;
  /** Number of earlier codes for this request that were already taken. */
  taken: number;
}

/** Link options that the user chose. Null means not chosen. */
export interface LinkOptions {
  shortCode: string | null;
  title: string | null;
  /** Expiry time in the RFC 3339 format of the API. */
  expiresAt: string | null;
}

export type Expiry = 'never' | 'hour' | 'day' | 'week' | 'month';

/**
 * Reason why a request is not done. `message` comes from the server. It is untrusted, so pages show it as plain text.
 */
export interface Problem {
  code: ProblemCode;
  message: string;
}

/** A short link that this extension created or that a server listed. */
export interface Link {
  /** Id of the request that created the link. For a link from a server's list, the id comes from `listedId`. */
  id: string;
  /**
   * Null if the connection was deleted, or if the link was imported and no server has listed it yet. A link without a
   * connection is never reused.
   */
  connectionId: string | null;
  groupId: string | null;
  url: string;
  title: string;
  shortUrl: string;
  shortCode: string;
  createdAt: number;
  expiresAt: number | null;
  private: boolean;
  /** True if the user copied a short URL for this link before the link existed. */
  handedOut?: true;
  /** Short URL that the user copied before the link existed, if the link then got another short URL. */
  replaces?: string;
  /** Number of clicks that the server last reported. Absent if the server never listed this link. */
  clicks?: number;
  /** True if another client created the link and the server listed it. */
  elsewhere?: true;
  /**
   * True if this extension created the link, but the server's last list does not contain it. The link was deleted, or
   * the API key cannot see it.
   */
  unlisted?: true;
}

/** A server address and the server's known features. The API key is stored separately and is never shown. */
export interface Connection {
  /** Stays the same when the user replaces the API key. */
  id: string;
  /** Name that the user chose. If it is empty, pages show the server's host. */
  name: string;
  baseUrl: string;
  lastFour: string;
  /** Content of the service document, which describes the server's features. Null if the server has none. */
  service: ServiceInfo | null;
  /** Time at which the extension last read the service document. Null if it never did. */
  serviceReadAt: number | null;
  /**
   * Time of the last successful response. A response that refuses the API key does not count. Null if there was none.
   */
  lastSeenWellAt: number | null;
  /** The connection with the highest value is the default. */
  preferredAt: number;
  /** Summary of the last complete read of the server's link list. Absent if the list was never read. */
  listRead?: ListReading;
}

export interface ListReading {
  /** Time at which the read started. */
  at: number;
  /** Number of records that are not valid links. */
  unreadable: number;
  /** True if the list was too long and its oldest links were not read. */
  isCut: boolean;
}

/** One POST: its requests and exact bytes. A repetition with the same idempotency key must have the same bytes. */
export interface Attempt {
  id: string;
  connectionId: string;
  idempotencyKey: string;
  requestIds: string[];
  path: '/api/shorten' | '/api/v1/urls' | '/api/v1/urls/batch';
  body: string;
  /** Server time of the first send. It is needed because servers delete idempotency keys after some time. */
  firstSend: Send;
  private: boolean;
  /** True from the start of a send until its result is stored. A queue sends at most one attempt at a time. */
  inFlight: boolean;
  sends: number;
  /** True if the last send got no clear response and the server's health has not been checked since. */
  suspect: boolean;
  /** Number of sends that a gateway refused. Absent if there are none. */
  refusals?: number;
  /** True if the extension has not looked up the attempt's short codes since the last send. */
  lookUpDue?: boolean;
  /** Number of delays so far. Each delay is longer than the one before. */
  parks: number;
  /** Earliest time of the next send. Null if the attempt is not delayed. */
  parkedUntil: number | null;
}

/** Reason why a queue is blocked until the user acts. The events in `unblock` end each block. */
export type BlockReason = 'unauthorized' | 'forbidden' | 'key_missing' | 'not_a_service' | 'redirected' | 'permission';

export interface QueueState {
  /**
   * Time at which the last attempt ended. While an attempt is being sent, this is its start time. The minimum gap
   * between sends starts here.
   */
  lastEndedAt: number | null;
  /** Delay of the whole queue. Null if there is none. */
  pause: Delay | null;
  /** Number of failed sends and health checks since the last success. Delays grow with this number. */
  failures: number;
  /** True if the extension must check the server's health before the next send. */
  probeDue: boolean;
  /**
   * True if the last response to a POST was not understood, although the server may have created the link. In this
   * state, an HTML page in response to a health check does not count as the server.
   */
  isDoubtful?: true;
  halt: BlockReason | null;
  /** True if the user paused the queue. Only the user can resume it. */
  onHold?: true;
  /** Latest known local time. If the current time is earlier, the computer's clock was set back. */
  latestTime: number;
}

export interface Delay {
  until: number;
  reason: DelayReason;
  /**
   * True if the server requested this delay. False if the extension guessed it. The user can end a guessed delay
   * early.
   */
  named: boolean;
}

/** `unprotected` means that the browser might repeat a POST (see `prevent-duplicate-post.ts`). */
export type DelayReason = 'throttle' | 'quota' | 'unreachable' | 'busy' | 'unprotected';

/** Limits of an API key and its recorded sends. */
export interface Quota {
  /** Minimum time in milliseconds from the end of one attempt to the start of the next. */
  gapMs: number;
  quota: { limit: number; windowMs: number };
  /** Quota count that the server reported, with times by the server's clock. Null if the server reports none. */
  reported: { remaining: number; resetAtService: number; windowMs: number } | null;
  /** Sends that still count against the quota. */
  sends: Send[];
  /** The same moment by the local clock and by the server's clock. Null if the server never reported its time. */
  clockSample: { local: number; service: number; workerId: string } | null;
}

export interface Send {
  /** Time by the server's clock. */
  atService: number;
  /** False if the extension estimated `atService` with the local clock. */
  confirmed: boolean;
}

/**
 * Current local time, with the id of the background worker that read it. Under one worker id, time never jumps.
 * Between two worker ids, the clock may have been set or the computer may have slept.
 */
export interface Time {
  now: number;
  workerId: string;
}

/** A connection's queue. One transaction reads all of it. */
export interface Queue {
  connection: Connection;
  state: QueueState;
  budget: Quota;
  /** Send attempts whose final result is not known yet. */
  attempts: Attempt[];
  /** Requests whose links do not exist yet, in queue order. */
  requests: Request[];
}

/** Queues that a page may show. Requests from private windows appear only on pages in private windows. */
export interface VisibleQueues {
  /** One queue for each connection. The default connection comes first. */
  queues: Queue[];
  /** Requests whose connection was deleted. The next new connection adopts them. */
  unassigned: Request[];
}
