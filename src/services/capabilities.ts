import type { NewCodes } from '@terse/contract/service-capabilities';

/*
 * What servers can do. The queue and the pages decide by capabilities, never by the kind of server.
 */

/** Form of the short codes that a server accepts from its users. */
export interface CodeRules {
  /** Matches a whole valid code. */
  pattern: RegExp;
  minLength: number;
  maxLength: number;
  isCaseSensitive: boolean;
}

export type EditableField = 'url' | 'title' | 'expiresAt';

export interface Capabilities {
  /**
   * How a create is repeated if its answer was lost, so that no second link is created:
   * `idempotency_key`: the same bytes are sent again under the same idempotency key.
   * `same_code`: the same code is sent again, and the adapter's `create` recognizes its own earlier link.
   * `look_up`: the adapter's `find` must report the code as absent before the same code is sent again.
   * `none`: the request becomes uncertain, and the user decides.
   */
  safeRetry: 'idempotency_key' | 'same_code' | 'look_up' | 'none';
  /** Rules for codes that the user chooses. Null if the server chooses all codes. */
  ownCode: CodeRules | null;
  /**
   * Alphabet and length of the codes that the extension generates, a subset of what `ownCode` allows. Null if the
   * server generates the codes. Required if `safeRetry` is `same_code` or `look_up`.
   */
  generatedCode: NewCodes | null;
  /** True if a new link can have a title. */
  title: boolean;
  /** True if the server stores a title without cutting it or dropping its letters. Absent if it stores every title. */
  keepsTitle?: (title: string) => boolean;
  /** True if a new link can have an expiry. */
  expiry: boolean;
  /** Maximum time until a new link expires, in milliseconds. Absent if there is no maximum. */
  maxLifetimeMs?: number;
  /** True if a new link can have tags. If links can be edited, so can their tags. */
  tags: boolean;
  /** Maximum number of links in one request. 1 if the server has no batches. */
  batchSize: number;
  /** True if the server lists its links. */
  list: boolean;
  /** True if `find` can look up a code. */
  find: boolean;
  /** Fields of a link that can be edited. Empty if links cannot be edited. */
  edit: readonly EditableField[];
  /** Editable fields that can be removed from a link. */
  clear: readonly EditableField[];
  delete: boolean;
  /** `total`: a number of clicks in the list. `details`: also the adapter's `clicks`. */
  clicks: 'none' | 'total' | 'details';
  /** True if the server may answer a create with an older link of the same URL, which has another code. */
  reusesLinks: boolean;
  /** True if the server may have several domains, so that a code is unique only on its domain. */
  domains: boolean;
  /** True if the probe shows if the API key is accepted. */
  checksKey: boolean;
  /**
   * `specification`: the defaults of the specification apply until the server announces its limits. `none`: only the
   * limits that the user set for the connection apply.
   */
  limits: 'specification' | 'none';
}
