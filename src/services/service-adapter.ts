import type { Limits } from '@terse/contract/http-headers';
import type { ServiceDocument } from '@terse/contract/service-capabilities';
import type { Capabilities } from './capabilities.ts';
import type { Exchange, HttpAnswer } from './http-exchange.ts';
import type {
  Clicks,
  CodeUse,
  LinkChanges,
  LinkListPage,
  LinkReference,
  ListedLink,
  ServiceResult,
} from './link-operations.ts';

/*
 * Interface between the extension and the servers that it can use. Each kind of server has one adapter. Adapters do
 * not send: they translate operations to requests, and answers to results. The queue imports these types, so adapters
 * must not import the queue.
 */

/** The browser's `fetch`. Tests replace it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export const SERVICE_KINDS = ['terse', 'specification', 'kutt', 'yourls', 'sink', 'shlink', 'chhoto'] as const;

/** Kind of server. `specification`: a server with only the three endpoints that every server of the API must have. */
export type ServiceKind = (typeof SERVICE_KINDS)[number];

/** Address of a server, and the API key that belongs to it. */
export interface Destination {
  /** Origin and path without a trailing slash. */
  baseUrl: string;
  apiKey: string;
}

/** Everything that an adapter may know about a connection. */
export interface ServiceContext extends Destination {
  /**
   * Name of the domain on which links are created or looked for. Null for the server's default. Only for servers with
   * several domains.
   */
  domain: string | null;
  /** Result of the last probe. Null if it found no description of the server. */
  service: ServiceInfo | null;
  /** Current time in milliseconds. For expiries that a server wants as durations or checks against the clock. */
  now: number;
}

/** Domain of a server's short URLs. */
export interface Domain {
  /** Name that requests use, usually a host. */
  name: string;
  /** Address in front of its short codes, without a trailing slash. Empty if the server does not tell it. */
  shortBaseUrl: string;
}

/** Description of a server, stored with its connection. */
export interface ServiceInfo {
  name: string;
  /**
   * Address in front of short codes, without a trailing slash. Empty if the server does not tell it: the extension
   * then learns it from the first link.
   */
  shortBaseUrl: string;
  /** Domains of the server's short URLs, the default first. Absent if the server names none. */
  domains?: Domain[] | undefined;
  /** Optional features of the server. The values are those of the contract, or the adapter's own. */
  features: string[];
  /** Alphabet and length of the server's short codes. Absent if the server does not publish them. */
  codes?: ServiceDocument['codes'];
  /** Kinds of URLs that the server refuses to shorten. Absent if the server does not publish them. */
  refusedTargets?: string[] | undefined;
  /** Maximum length of a URL to shorten, in bytes. Absent if the server does not publish it. */
  maxUrlBytes?: number | undefined;
}

/** Reasons why a request can fail. The message key in `_locales` is `problem_<code>`. */
export type ProblemCode =
  // The request fails. The extension does not send it again automatically.
  | 'invalid_url'
  | 'target_refused'
  | 'unauthorized'
  | 'forbidden'
  | 'short_code_taken'
  | 'invalid_short_code'
  | 'expired'
  | 'expiry_too_late'
  | 'refused'
  | 'not_a_service'
  | 'redirected'
  | 'gateway_refused'
  // The request waits. The extension sends it again later.
  | 'throttled'
  | 'quota_exceeded'
  | 'busy'
  // The server may have created the link.
  | 'timeout'
  | 'no_answer'
  | 'server_error'
  | 'not_understood'
  | 'interrupted';

/** A link to create. */
export interface NewLink {
  /** Serialized URL (`new URL(x).href`). */
  url: string;
  /** Code that the user chose or the extension generated. It is the same in every attempt. Absent if there is none. */
  shortCode?: string;
  /** Domain on which the link is created. It is the same in every attempt. Absent for the server's default. */
  domain?: string;
  /** Title that the user chose. */
  title?: string;
  /** Expiry in RFC 3339 format. Servers that want a duration get it computed from `ServiceContext.now`. */
  expiresAt?: string;
  /** Absent if there are none. */
  tags?: string[];
  /** Random text that belongs to this link. It is the same in every attempt. */
  idempotencyKey: string;
}

/**
 * Attempt to create links, as it was stored before its first send. `body` is the exact text for servers of our API,
 * so that a repetition is identical. Other adapters use `links`.
 */
export interface CreateRequest {
  path: string;
  body: string;
  idempotencyKey: string;
  requestIds: string[];
  /** Links to create, in the order of `requestIds`. */
  links: NewLink[];
  /** True if the attempt was sent before, so that its links may exist. */
  isRepeat: boolean;
}

/** Result of one request in a send attempt. `message` is untrusted text from the server. */
export type RequestResult =
  | { kind: 'created'; shortUrl: string }
  /** The server would refuse the same request every time. */
  | { kind: 'refused'; code: ProblemCode; message: string }
  /** The request may succeed later. `retryAfterSeconds` is null if the server did not specify a time. */
  | {
      kind: 'refused_for_now';
      code: 'throttled' | 'quota_exceeded' | 'busy';
      message: string;
      retryAfterSeconds: number | null;
    }
  /**
   * A gateway refused the request, so it never reached the server and no link was created. A health check then
   * determines the cause.
   */
  | { kind: 'not_made'; code: ProblemCode; message: string }
  /** The result is unknown: the server may have created a link. */
  | { kind: 'unclear'; code: ProblemCode; message: string };

/** Server time and limits in the headers of a response. */
export interface Reported {
  /** Time from the `Date` header, in milliseconds. Null if the response had no such header. */
  date: number | null;
  limits: Limits;
}

/** Result of a send attempt. `items` contains one result per request, in the order in which they were sent. */
export interface AttemptResult extends Reported {
  items: RequestResult[];
  /**
   * True if the server made a final decision about the attempt. If false, the attempt must be repeated with identical
   * bytes and the same idempotency key. Otherwise, its links could be created twice.
   */
  conclusive: boolean;
  /** True if the response came from the server itself, not from a gateway in front of it. */
  answered: boolean;
  /** True if the server refused a batch without processing its items (status 400, 413, 415 or 422). */
  refusedAsWhole: boolean;
}

/** Result of a health check. Null if the server is unreachable. */
export type ProbeResult = ProbeReport | null;

/** State of a reachable server. */
export interface ProbeReport extends Reported {
  /** Kind of the server. Absent if it was known before, or if the server has our API or the specification's. */
  kind?: ServiceKind;
  service: ServiceInfo | null;
  /** `forbidden` if the API key is not allowed to create links. */
  key: 'accepted' | 'refused' | 'forbidden' | 'unknown';
  /**
   * True if the health check was redirected. Wi-Fi login pages redirect too, so a redirect does not prove that the
   * server is reachable.
   */
  redirected?: boolean;
  /** True if all health check paths returned a web page with a success status, as they would during maintenance. */
  isPage?: boolean;
}

/** Description of a server. `version` is empty if it is unknown. See `ServiceInfo` for the other properties. */
export type ServerDocument = ServiceDocument;

/** Data that the server returns about an accepted API key. Null and empty values are unknown. */
export interface KeyReport {
  name: string;
  throttle: Limit | null;
  quota: Limit | null;
}

interface Limit {
  limit: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
}

/** Result of a health check, which costs no quota, creates nothing and counts nothing. */
export type Probe =
  | { reached: false; problem: 'unreachable' | 'unavailable' | 'timeout' | 'redirected' }
  | {
      reached: true;
      /** Null if nothing was found that describes the server. */
      document: ServerDocument | null;
      /**
       * `refused` and `forbidden` only if the server itself says so. Null if the server did not check the key.
       * `forbidden`: the key is not allowed to create links.
       */
      key: KeyReport | 'refused' | 'forbidden' | null;
      date: number | null;
      limits: Limits;
      /** True if all paths returned a web page with a success status, as they would during maintenance. */
      isPage?: true;
    };

/**
 * Result of looking for a link.
 * `found`: a link has this code, on this domain, and leads to this URL: it is the link that was asked for.
 * `taken`: the code belongs to another link.
 * `absent`: the server itself says that no link has the code.
 * `unknown`: anything else, such as a gateway's page.
 */
export type Found = { state: 'found'; shortUrl: string } | { state: 'taken' | 'absent' | 'unknown' };

/**
 * Translator for one kind of server. Every method is a generator that yields requests and returns a result (see
 * `Exchange`). Methods never throw for anything that an answer may contain: whatever is not recognizably the server's
 * own answer is `unclear` or `not_understood`. Methods may let `NoAnswer` errors pass.
 */
export interface ServiceAdapter {
  kind: ServiceKind;
  /** Name of the software, for users. */
  name: string;
  /** @param service what the last probe found out, or null */
  capabilities(service: ServiceInfo | null): Capabilities;

  /**
   * GET that tells this kind from others, without the API key. It must create and count nothing on any server. Null
   * if the kind is only the fallback.
   */
  detect: { path: string; matches(answer: HttpAnswer): boolean } | null;

  /**
   * Checks the server and the API key with GET requests. Redirects, timeouts and broken connections that pass as
   * `NoAnswer` become `reached: false`. Status 5xx is `unavailable`.
   */
  probe(context: ServiceContext): Exchange<Probe>;

  /**
   * Creates the links of an attempt: one, or up to `batchSize`. If `NoAnswer` passes, the result is `not_made` for a
   * redirect of the first request, and `unclear` in all other cases. If links are recognized by their codes, a code
   * that is taken by the attempt's own link (same code, domain and URL) is `created`.
   */
  create(request: CreateRequest, context: ServiceContext): Exchange<AttemptResult>;

  /** Finds out if a link was created. If `NoAnswer` passes, the result is `unknown`. */
  find?(link: NewLink & { shortCode: string }, context: ServiceContext): Exchange<Found>;

  /**
   * Reads one page of the links, newest first if the server can. An empty cursor selects the first page. In this and
   * the following methods, `NoAnswer` becomes `redirected` or `unreachable`.
   */
  list?(cursor: string, context: ServiceContext): Exchange<ServiceResult<LinkListPage>>;

  /** Changes a link and keeps everything that is not in `changes`. Returns the link after the change. */
  edit?(link: LinkReference, changes: LinkChanges, context: ServiceContext): Exchange<ServiceResult<ListedLink>>;

  /** Deletes a link. Succeeds if the link is already deleted, but only by the server's own answer. */
  delete?(link: LinkReference, context: ServiceContext): Exchange<ServiceResult<null>>;

  /** Reads the clicks of a link. Needed if the capability `clicks` is `details`. */
  clicks?(link: LinkReference, context: ServiceContext): Exchange<ServiceResult<Clicks>>;

  /**
   * Finds out if a short code is in use, as far as the API key can see. The form for a new link shows the result while
   * the user types.
   */
  codeUse?(shortCode: string, context: ServiceContext): Exchange<ServiceResult<CodeUse>>;
}
