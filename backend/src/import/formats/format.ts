/** Link data that can be imported. */
export type Field =
  | 'code'
  /** Short URL of the link. If several fields contain a short URL, the first one is imported. */
  | 'shortUrl'
  /** List of short URLs of the same link. All of them are imported, because each may have been published. */
  | 'everyShortUrl'
  | 'domain'
  | 'url'
  | 'title'
  | 'createdAt'
  | 'expiresAt'
  /** Time at which the link starts to work. */
  | 'validFrom'
  | 'clicks'
  /**
   * Clicks that the other service itself had imported. They are added to the clicks that the other service has
   * counted.
   */
  | 'importedClicks'
  | 'clickLimit'
  | 'tags'
  /** True if the visitor's query parameters are added to the long URL. */
  | 'forwardQuery'
  /** Second part of a short URL's path. The first part is the short code. */
  | 'secret';

/** Link data that cannot be imported. */
export type Loss =
  | 'tags'
  | 'someTags'
  | 'clickLimit'
  | 'notes'
  | 'archived'
  | 'rules'
  | 'sales'
  | 'expiredUrl'
  | 'preview'
  | 'titleEnd';

/**
 * Reason why a link is not imported. The other service restricts access to this link, but Terse would redirect
 * everyone.
 */
export type Exclusion = 'password' | 'banned' | 'disabled' | 'deleted' | 'warning' | 'notYet' | 'usedUp';

/**
 * Format of another service's export files. Field names are normalized with `normalizeFieldName`. In lists of field
 * names, earlier names take precedence.
 */
export interface Format {
  /** Name of the format, which is shown in the preview. */
  name: string;
  /** Lists of field names. A file is in this format if it has all fields of at least one list. */
  detectedBy: readonly (readonly string[])[];
  fields: Partial<Record<Field, readonly string[]>>;
  /**
   * `losses` are fields whose data cannot be imported. `exclusions` are fields that prevent a link from being
   * imported. Fields that are empty or mean “no” have no effect.
   */
  losses?: Partial<Record<Loss, readonly string[]>>;
  exclusions?: Partial<Record<Exclusion, readonly string[]>>;
  /** Warnings that users see before the import. */
  notes?: readonly string[];
  /** Note that short codes of the other service are not case-sensitive. Absent if they are case-sensitive. */
  caseNote?: string;
}
