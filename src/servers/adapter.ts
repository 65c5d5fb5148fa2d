import type { Analytics } from '@terse/contract/analytics';
import type { Limits } from '@terse/contract/http-headers';
import type { ServiceDocument } from '@terse/contract/service-capabilities';
import type { Call, HttpAnswer } from './http.ts';

/*
 * Interface between the extension and the servers that it supports. Each kind of server has one adapter, which converts
 * operations to requests, and responses to results. The queue imports these types, so adapters must not import the
 * queue.
 */

export const SERVICE_KINDS = ['terse', 'specification', 'kutt', 'yourls', 'sink', 'shlink', 'chhoto'] as const;

/**
 * Kind of server. `specification` is a server that has only the three endpoints that the API specification requires.
 */
export type ServiceKind = (typeof SERVICE_KINDS)[number];

/** Product names, which are the same in all languages. */
export const KIND_NAMES: Record<ServiceKind, string> = {
  terse: 'Terse',
  specification: 'any other server',
  kutt: 'Kutt',
  yourls: 'YOURLS',
  sink: 'Sink',
  shlink: 'Shlink',
  chhoto: 'chhoto-url',
};

/** Address of a server, and its API key. */
export interface Destination {
  /** Origin and path without a trailing slash. */
  baseUrl: string;
  apiKey: string;
}

/** Data about a connection for an operation of an adapter, with the function that sends its requests. */
export interface CallContext extends Destination {
  /** Description of the server from the last health check. Null if the health check found none. */
  service: ServiceInfo | null;
  /** Current time in milliseconds, for example to refuse past expiries. */
  now: number;
  call: Call;
}

/**
 * Description of a server, stored with its connection. `shortBaseUrl` is empty if the server does not report it. In that
 * case, the extension derives it from the first link.
 */
export type ServiceInfo = Omit<ServiceDocument, 'version'> & { version?: string };

/** Domain of a server's short URLs. `shortBaseUrl` is empty if the server does not report it. */
export type Domain = NonNullable<ServiceInfo['domains']>[number];

/** Reasons why a request can fail. The message key in `_locales` is `problem_<code>`. */
export type ProblemCode =
  // The codes in this group mean that the request is not sent again automatically.
  | 'invalid_url'
  | 'target_refused'
  | 'unauthorized'
  | 'forbidden'
  | 'short_code_taken'
  | 'generated_code_taken'
  | 'invalid_short_code'
  | 'expired'
  | 'expiry_too_late'
  | 'refused'
  | 'not_a_service'
  | 'redirected'
  | 'gateway_refused'
  // The codes in this group mean that the request is sent again later.
  | 'throttled'
  | 'quota_exceeded'
  | 'busy'
  // The server may have created the link.
  | 'timeout'
  | 'no_answer'
  | 'server_error'
  | 'not_understood'
  | 'interrupted';

/** A link to create. It is the same in every attempt. */
export interface NewLink {
  /** Serialized URL (`new URL(x).href`). */
  url: string;
  /** Code that the user chose or the extension generated. Absent if the server generates the code. */
  shortCode?: string;
  /** Domain on which the link is created. Absent for the server's default domain. */
  domain?: string;
  /** Title that the user chose. */
  title?: string;
  /** Expiry in RFC 3339 format. */
  expiresAt?: string;
  tags?: string[];
  /** Random text that identifies this link. */
  idempotencyKey: string;
}

/**
 * Request to create links. `body` is the exact request body for servers with our API. Adapters for other servers use
 * `links`.
 */
export interface CreateRequest {
  path: string;
  body: string;
  idempotencyKey: string;
  requestIds: string[];
  /** Links to create, in the order of `requestIds`. */
  links: NewLink[];
}

/** Result of one request in an attempt. `message` is untrusted text from the server. */
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
  /** The request did not reach the server, so no link was created. */
  | { kind: 'not_made'; code: ProblemCode; message: string }
  /** The result is unknown: the server may have created a link. */
  | { kind: 'unclear'; code: ProblemCode; message: string };

/** Result of an attempt. `items` contains one result per request, in the order in which the requests were sent. */
export interface AttemptResult {
  items: RequestResult[];
  /** Limits that the server itself reported. */
  limits: Limits;
  /** True if the response came from the server itself, not from a gateway in front of it. */
  answered: boolean;
  /** True if the server refused a batch without processing its items (status 400, 413, 415 or 422). */
  refusedAsWhole: boolean;
}

/** Result of a health check that reached the server. The health check creates no links and uses no quota. */
export interface ProbeReport {
  limits: Limits;
  /** Detected kind. Absent if the kind was already known, or if it is `terse` or `specification`. */
  kind?: ServiceKind;
  /** Description of the server. Null if the health check found none. */
  service: ServiceInfo | null;
  /**
   * `refused`: the server itself refused the key. `forbidden`: the server itself said that the key has no permission to
   * create links. `unknown`: the server did not check the key.
   */
  key: 'accepted' | 'refused' | 'forbidden' | 'unknown';
  /** True if the health check was redirected, as Wi-Fi login pages do. */
  redirected?: boolean;
  /** True if all responses were web pages with a success status, for example during maintenance. */
  isPage?: boolean;
}

/** Result of a health check for the queue. Null if the server is unreachable. */
export type ProbeResult = ProbeReport | null;

/** Result of a health check for users. */
export type Probe =
  | { reached: false; problem: 'unreachable' | 'unavailable' | 'timeout' | 'redirected' }
  | (ProbeReport & { reached: true });

/**
 * Result of looking for a link.
 * `found`: a link has the requested code, domain and URL, so it is the requested link.
 * `taken`: the code belongs to another link.
 * `absent`: the server itself says that no link has the code.
 * `unknown`: every other response, such as a gateway's page.
 */
export type Found = { state: 'found'; shortUrl: string } | { state: 'taken' | 'absent' | 'unknown' };

/** Maximum lengths in UTF-16 code units. Adapters drop or truncate longer values. */
export const MAX_LENGTH = { shortCode: 512, url: 32_768, title: 1_000, cursor: 2_048 };

/** Reason why an operation failed. The message keys in `_locales` start with `service_<problem>`. */
export type ServiceProblem =
  | 'no_connection'
  | 'permission'
  | 'unauthorized'
  | 'forbidden'
  | 'cannot_list'
  | 'gone'
  | 'throttled'
  | 'redirected'
  | 'unreachable'
  | 'not_understood'
  | 'refused';

/** Failure of an operation. */
export interface ServiceFailure {
  problem: ServiceProblem;
  /** Reason that the server itself gave. Empty if it gave none. */
  code: ProblemCode | 'gone' | '';
  /** Untrusted text from the server. Empty if it sent none. */
  message: string;
  /** Time to wait before the next call. Null if the server did not specify a time. */
  retryAfterSeconds: number | null;
}

export type ServiceResult<T> = { value: T } | ServiceFailure;

export function serviceFailure(problem: ServiceProblem): ServiceFailure {
  return { problem, code: '', message: '', retryAfterSeconds: null };
}

/** Error that adapters throw if an operation fails. */
export class OperationFailed extends Error {
  override name = 'OperationFailed';
  readonly failure: ServiceFailure;

  constructor(failure: ServiceFailure) {
    super(failure.problem);
    this.failure = failure;
  }
}

/** A link in the server's list. Times are in milliseconds. */
export interface ListedLink {
  shortCode: string;
  shortUrl: string;
  url: string;
  title: string | null;
  /** Null if the server does not store creation times. */
  createdAt: number | null;
  expiresAt: number | null;
  clicks: number;
  /**
   * True if the link does not redirect all visitors, because it has a password, a start time or a maximum number of
   * visits.
   */
  isRestricted?: true;
  /** Absent if the server or the adapter does not support tags. */
  tags?: string[];
}

export interface LinkListPage {
  links: ListedLink[];
  /** Number of records that were not valid links. */
  unreadable: number;
  /** Cursor of the next page, in a format that only the adapter needs to understand. Null on the last page. */
  nextCursor: string | null;
  /**
   * Total number of links. Required if cursors are offsets. If the total decreases between two pages, a link may have
   * been skipped.
   */
  total?: number | undefined;
}

/** Identifies the link for an operation. */
export interface LinkReference {
  shortCode: string;
  /** Distinguishes links with the same short code on different domains. Absent if only `domain` is known. */
  shortUrl?: string;
  /** Name of the link's domain. Absent for the server's default domain. */
  domain?: string | undefined;
}

/** Changes to a link. Absent properties keep their values. */
export interface LinkChanges {
  url?: string;
  /** Null removes the title. */
  title?: string | null;
  /** Time in RFC 3339 format. Null removes the expiry. */
  expiresAt?: string | null;
  /** Replaces all tags. */
  tags?: string[];
}

/**
 * Adapter for one kind of server. The results of `probe` and `create` never depend on responses of a gateway: such a
 * response leads to `unclear` or `not_made`. The other methods throw `OperationFailed`. All methods may throw `NoAnswer`.
 */
export interface ServiceAdapter {
  kind: ServiceKind;

  /**
   * GET request that distinguishes this kind of server from others. It is sent without the API key. On every kind of
   * server, the request must create nothing and must not be counted as a visit. Null for servers with our API, which the
   * health check recognizes, and for the fallback kind.
   */
  detect: { path: string; matches(answer: HttpAnswer): boolean } | null;

  /** Checks the server and the API key without changing anything on the server. */
  probe(context: CallContext): Promise<ProbeReport>;

  /**
   * Creates at most `batchSize` links. An existing link with the same code, domain and URL counts as created, if the
   * server lets links be read. Only the request that creates the links may end with `NoAnswer`.
   */
  create(request: CreateRequest, context: CallContext): Promise<AttemptResult>;

  /** Reads the link with a short code. Returns null if the server itself says that no link has the code. */
  read(link: LinkReference, context: CallContext): Promise<ListedLink | null>;

  /**
   * Reads one page of the list of links, newest first if the server supports that. An empty cursor selects the first
   * page.
   */
  list(cursor: string, context: CallContext): Promise<LinkListPage>;

  /** Changes a link, but keeps all properties that are not in `changes`. Returns the link after the change. */
  edit(link: LinkReference, changes: LinkChanges, context: CallContext): Promise<ListedLink>;

  /**
   * Deletes a link. If several links have the code, one of them may be deleted at a time. The caller reads the link
   * afterwards, so the method need not check the response of a successful deletion.
   */
  delete(link: LinkReference, context: CallContext): Promise<void>;

  /** Reads the clicks of a link in the last 30 days. Required if the capability `clicks` is `details`. */
  clicks?(link: LinkReference, context: CallContext): Promise<Analytics>;
}
