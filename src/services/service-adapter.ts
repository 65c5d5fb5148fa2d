import type { Limits } from '@terse/contract/http-headers';
import type { Link as ServiceLink } from '@terse/contract/links';
import { FEATURE, type NewCodes } from '@terse/contract/service-capabilities';

/*
 * The types that every kind of service shares. An adapter knows nothing of queues, so the rules of the queue import from here.
 */

/** The browser's `fetch`, passed in so that tests can replace it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Address of a service, and the API key to use there. */
export interface Destination {
  baseUrl: string;
  apiKey: string;
}

/** A service as it describes itself, as far as the extension stores it. */
export interface ServiceInfo {
  name: string;
  shortBaseUrl: string;
  features: string[];
  /** Alphabet and length of the service's short codes. Absent if the service does not say. */
  codes?: NewCodes;
  /** Kinds of URLs that the service refuses to shorten. Absent if it does not say. */
  refusedTargets?: string[];
}

/** Every way a request can fail. Each has a message in `_locales` under `problem_<code>`. */
export type ProblemCode =
  // The request failed and is not sent again automatically.
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
  // The request waits and is sent again later.
  | 'throttled'
  | 'quota_exceeded'
  | 'busy'
  // The link may have been created.
  | 'timeout'
  | 'no_answer'
  | 'server_error'
  | 'not_understood'
  | 'interrupted';

/** One POST that creates links. The body is the exact text to send, so that a repetition is identical. */
export interface CreateRequest {
  path: '/api/shorten' | '/api/v1/urls' | '/api/v1/urls/batch';
  body: string;
  idempotencyKey: string;
  requestIds: string[];
}

/** Result of one request of an attempt. `message` is text from the service, so it is untrusted. */
export type RequestResult =
  | { kind: 'created'; shortUrl: string }
  /** The service would refuse the same request again. */
  | { kind: 'refused'; code: ProblemCode; message: string }
  /** The request may succeed later. `retryAfterSeconds` is null if the service did not say when. */
  | {
      kind: 'refused_for_now';
      code: 'throttled' | 'quota_exceeded' | 'busy';
      message: string;
      retryAfterSeconds: number | null;
    }
  /** A gateway refused the request before it reached the service, so no link was created. A probe tells the cause. */
  | { kind: 'not_made'; code: ProblemCode; message: string }
  /** It is unknown if a link was created. */
  | { kind: 'unclear'; code: ProblemCode; message: string };

/** Time and limits that a response reported. */
export interface Reported {
  /** The `Date` header in milliseconds; null if the response had none. */
  date: number | null;
  limits: Limits;
}

/** Result of an attempt: one item per request, in the order sent, and the limits that the response reported. */
export interface AttemptResult extends Reported {
  items: RequestResult[];
  /**
   * True if the service decided about the attempt. False for no response, a limit, a 5xx, or a gateway's page. The attempt
   * must then be repeated with the same bytes and key, or its links could be created twice.
   */
  conclusive: boolean;
  /** True if the response came from the service itself and not from a gateway. */
  answered: boolean;
  /** True if a batch was refused before the service looked at its items (400, 413, 415, 422). */
  refusedAsWhole: boolean;
}

/** Result of a probe; null if the service is unreachable. */
export type ProbeResult = ProbeReport | null;

/** The state of a reachable service. */
export interface ProbeReport extends Reported {
  service: ServiceInfo | null;
  /** `forbidden` if the key may not create links. */
  key: 'accepted' | 'refused' | 'forbidden' | 'unknown';
  /** True if the probe was redirected. A captive portal does this, so it does not count as reaching the service. */
  redirected?: boolean;
  /** True if every path of the probe returned a page with a success status, as a maintenance page does. */
  isPage?: boolean;
}

/** A link in the service's own list. Times are in milliseconds. */
export interface ListedLink {
  shortCode: string;
  shortUrl: string;
  url: string;
  title: string | null;
  createdAt: number;
  expiresAt: number | null;
  clicks: number;
}

/** The link that the service returned for a short code; null if there is none. */
export type LookedUp = Pick<ServiceLink, 'url' | 'shortUrl'> | null;

/** The part of a connection that tells what its service can do. */
interface WithService {
  service: ServiceInfo | null;
}

/** True if the service of a connection reports the feature. */
export function hasFeature({ service }: WithService, feature: string): boolean {
  return service?.features.includes(feature) ?? false;
}

/** True if the service answers a repeated POST with the first response instead of creating another link. */
export function isIdempotent(connection: WithService): boolean {
  return hasFeature(connection, FEATURE.idempotency);
}

/**
 * True if several requests may be sent in one batch. Each item needs its own idempotency key, so that a failed batch can be
 * split without creating a link twice.
 */
export function supportsBatches(connection: WithService): boolean {
  return hasFeature(connection, FEATURE.batch) && hasFeature(connection, FEATURE.itemIdempotency);
}
