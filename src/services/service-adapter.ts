import type { Limits } from '@terse/contract/http-headers';
import type { Link as ServiceLink } from '@terse/contract/links';
import { FEATURE, type NewCodes } from '@terse/contract/service-capabilities';

/*
 * Types that all adapters for shortening services share. The queue imports these types, so adapters must not import
 * the queue.
 */

/** The browser's `fetch`. Tests replace it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Address of a shortening service, and the API key that belongs to it. */
export interface Destination {
  baseUrl: string;
  apiKey: string;
}

export interface ServiceInfo {
  name: string;
  shortBaseUrl: string;
  /** Domains of the service's short URLs, the default first. Absent if the service does not publish them. */
  domains?: { name: string; shortBaseUrl: string }[];
  features: string[];
  /** Alphabet and length of the service's short codes. Absent if the service does not publish them. */
  codes?: NewCodes;
  /** Kinds of URLs that the service refuses to shorten. Absent if the service does not publish them. */
  refusedTargets?: string[];
  /** Maximum length of a URL to shorten, in bytes. Absent if the service does not publish it. */
  maxUrlBytes?: number;
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

/** A POST that creates links. `body` is the exact text to send, so that a repetition is identical. */
export interface CreateRequest {
  path: '/api/shorten' | '/api/v1/urls' | '/api/v1/urls/batch';
  body: string;
  idempotencyKey: string;
  requestIds: string[];
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

/** A link in the server's list. Times are in milliseconds. */
export interface ListedLink {
  shortCode: string;
  shortUrl: string;
  url: string;
  title: string | null;
  createdAt: number;
  expiresAt: number | null;
  clicks: number;
}

/** Link that the server returned for a short code. Null if no link has this code. */
export type LookedUp = Pick<ServiceLink, 'url' | 'shortUrl'> | null;

/** Part of a connection that describes the server's features. */
interface WithService {
  service: ServiceInfo | null;
}

export function hasFeature({ service }: WithService, feature: string): boolean {
  return service?.features.includes(feature) ?? false;
}

/** True if the server answers a repeated POST with its first response instead of creating another link. */
export function isIdempotent(connection: WithService): boolean {
  return hasFeature(connection, FEATURE.idempotency);
}

/**
 * True if several requests may be sent in one batch. The server must support an idempotency key for each item, so
 * that splitting a failed batch does not create links twice.
 */
export function supportsBatches(connection: WithService): boolean {
  return hasFeature(connection, FEATURE.batch) && hasFeature(connection, FEATURE.itemIdempotency);
}
