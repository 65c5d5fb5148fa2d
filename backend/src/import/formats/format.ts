/** Data of a link that Terse can import. */
export type Field =
  | 'code'
  /** Short URL. If a record has several short URLs, only the first one is imported. */
  | 'shortUrl'
  /** One or more short URLs of the same link. All of them are imported, because each may have been published. */
  | 'everyShortUrl'
  | 'domain'
  | 'url'
  | 'title'
  | 'createdAt'
  | 'expiresAt'
  /** Time at which the link becomes active. */
  | 'validFrom'
  | 'clicks'
  | 'clickLimit'
  /** Second part of the path of a short URL, after the short code. */
  | 'secret';

/** Data of a link that Terse cannot import. */
export type Loss =
  | 'tags'
  | 'clicks'
  | 'clickLimit'
  | 'notes'
  | 'archived'
  | 'rules'
  | 'query'
  | 'sales'
  | 'expiredUrl'
  | 'preview'
  | 'titleEnd';

/**
 * Reason for which a link is not imported. The other service restricts access to the link, but Terse would open it
 * for anyone.
 */
export type Exclusion = 'password' | 'banned' | 'disabled' | 'deleted' | 'warning' | 'notYet' | 'usedUp';

/**
 * File format of another service's export. Field names are normalized by `normalizeFieldName`. If a list contains
 * several field names, the first one is preferred.
 */
export interface Format {
  /** Name of the format that users see. */
  name: string;
  /** Sets of field names that identify the format. A file matches if it contains all fields of one set. */
  detectedBy: readonly (readonly string[])[];
  fields: Partial<Record<Field, readonly string[]>>;
  /**
   * Fields whose data cannot be imported, and fields that prevent the import of their link. A field counts only if
   * its value is neither empty nor “no”.
   */
  losses?: Partial<Record<Loss, readonly string[]>>;
  exclusions?: Partial<Record<Exclusion, readonly string[]>>;
  /** Warnings that users see before the import. */
  notes?: readonly string[];
}
