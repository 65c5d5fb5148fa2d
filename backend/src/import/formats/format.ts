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
  /** Time from which the link works. */
  | 'validFrom'
  | 'clicks'
  /** Clicks that the other service had imported itself. They are added to its own clicks. */
  | 'importedClicks'
  | 'clickLimit'
  | 'tags'
  /** True if the visitor's query parameters are added to the long URL. */
  | 'forwardQuery'
  /** Second part of the path of a short URL. The first part is the short code. */
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
 * Reason why a link is not imported. The other service restricts access to the link, whereas Terse would redirect
 * everyone.
 */
export type Exclusion = 'password' | 'banned' | 'disabled' | 'deleted' | 'warning' | 'notYet' | 'usedUp';

/**
 * Format of another service's export files. Field names are normalized with `normalizeFieldName`. If a list contains
 * several field names, earlier ones take precedence.
 */
export interface Format {
  /** Name of the format, which users see in the preview. */
  name: string;
  /** Lists of field names. A file is in this format if it has all fields of at least one list. */
  detectedBy: readonly (readonly string[])[];
  fields: Partial<Record<Field, readonly string[]>>;
  /**
   * Fields whose data cannot be imported, and fields that exclude their link from the import. Fields that are empty
   * or mean “no” have no effect.
   */
  losses?: Partial<Record<Loss, readonly string[]>>;
  exclusions?: Partial<Record<Exclusion, readonly string[]>>;
  /** Warnings that users see before the import. */
  notes?: readonly string[];
  /** Says that the other service ignores the case of short codes. Absent if it does not. */
  caseNote?: string;
}
