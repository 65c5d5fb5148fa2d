/* Types of the operations on existing links: list, edit, delete, clicks. These operations do not use the quota. */

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

/**
 * Failure of an operation. `code` and `message` are untrusted text from the server, and are empty if the server sent
 * none.
 */
export interface ServiceFailure {
  problem: ServiceProblem;
  code: string;
  message: string;
  /** Time to wait before the next call. Null if the server did not specify a time. */
  retryAfterSeconds: number | null;
}

export type ServiceResult<T> = { value: T } | ServiceFailure;

export function serviceFailure(problem: ServiceProblem): ServiceFailure {
  return { problem, code: '', message: '', retryAfterSeconds: null };
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
  /** Distinguishes links with the same short code on different domains. May be empty. */
  shortUrl: string;
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

/** Clicks of a link in the last 30 days. Times are in milliseconds. */
export interface Clicks {
  from: number;
  to: number;
  clicks: number;
  /** Null if the server does not count visitors. */
  visitors: number | null;
  /** Null if the server does not count bots. */
  bots: number | null;
  series: { start: number; clicks: number }[];
  /**
   * Host names of the pages that visitors came from, sorted by clicks in descending order. The names are untrusted.
   */
  referrers: { name: string; clicks: number }[];
}

/**
 * Use of a short code, based on the links that the API key can access.
 * `yours`: a link that the API key can access has the code.
 * `retired`: a deleted link had the code.
 * `available`: a new link can have the code.
 * `unknown`: the server gave no clear answer, for example because the code is reserved or belongs to another account.
 */
export type CodeUse = 'yours' | 'retired' | 'available' | 'unknown';
