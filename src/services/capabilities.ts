import type { NewCodes } from '@terse/contract/service-capabilities';

/* Capabilities of servers. The queue and the pages check capabilities instead of the kind of server. */

/** Format of the short codes that a server allows users to choose. */
export interface CodeRules {
  /** Matches the whole code. */
  pattern: RegExp;
  maxLength: number;
}

/** Format of the codes that the extension generates if `safeRetry` is `same_code` or `look_up`. */
export const GENERATED_CODE: NewCodes = { alphabet: 'abcdefghijklmnopqrstuvwxyz0123456789', length: 10 };

type EditableField = 'url' | 'title' | 'expiresAt';

export interface Capabilities {
  /**
   * Paths below the base URL of short links that are short URLs, even if the extension does not know the link.
   * `all`: the server redirects or refuses every path.
   * `codes`: every path that `ownCode` allows. The other paths are the server's own pages.
   * `known`: no other path, because the server may share its host with a web site.
   */
  shortPaths: 'all' | 'codes' | 'known';
  /**
   * Method for repeating a create request after a lost response without creating a second link.
   * `idempotency_key`: the same bytes are sent again with the same idempotency key.
   * `same_code`: the same short code is sent again, and the adapter's `create` recognizes a link that the first
   * request created.
   * `look_up`: the same short code is sent again after the adapter's `find` has reported that no link has the code.
   * `none`: the request is not repeated automatically. The user decides.
   */
  safeRetry: 'idempotency_key' | 'same_code' | 'look_up' | 'none';
  /** Rules for codes that the user chooses. Null if the server chooses all codes. */
  ownCode: CodeRules | null;
  /**
   * Format of the codes that the extension generates, or null if the server generates the codes. `ownCode` must allow
   * all generated codes. Required if `safeRetry` is `same_code` or `look_up`.
   */
  generatedCode: NewCodes | null;
  /** True if a new link can have a title. */
  title: boolean;
  /** True if a new link can have an expiry. */
  expiry: boolean;
  /** True if a new link can have tags. If links can be edited, their tags can be edited too. */
  tags: boolean;
  /** Maximum number of links in one request. 1 if the server does not support batches. */
  batchSize: number;
  list: boolean;
  /** True if the adapter can look up a link by its code with `find`. */
  find: boolean;
  /** Fields of a link that can be edited. Empty if the server cannot edit links. */
  edit: readonly EditableField[];
  /** Fields of an existing link that can be emptied, such as the title. */
  clear: readonly EditableField[];
  delete: boolean;
  /** `total`: the list of links contains click counts. `details`: in addition, the adapter has the method `clicks`. */
  clicks: 'none' | 'total' | 'details';
  /**
   * True if the server may return an existing link for the same URL instead of creating a link. The short code of the
   * existing link can differ from the requested code.
   */
  reusesLinks: boolean;
  /** True if the server may have several domains. A code is then unique only on its domain. */
  domains: boolean;
  /** True if a health check shows whether the server accepts the API key. */
  checksKey: boolean;
  /**
   * Limits that apply to requests. `specification`: the defaults of the API specification, until the server reports
   * its own limits. `none`: only the limits that the user set for the connection.
   */
  limits: 'specification' | 'none';
}
