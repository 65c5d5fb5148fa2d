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
  /** Clicks that the exporting service had itself imported from another service. They are added to `clicks`. */
  | 'importedClicks'
  | 'clickLimit'
  | 'tags'
  /** True if redirects add the visitor's query parameters to the long URL. */
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
  | 'titleEnd'
  | 'createdAt'
  /** Link that leads to another short URL of its old domain. */
  | 'alias';

/** Reason why a link is not imported. The exporting service blocks the link or restricts access to it. */
export type Exclusion =
  | 'password'
  | 'banned'
  | 'disabled'
  | 'deleted'
  | 'warning'
  | 'notYet'
  | 'unclearStart'
  | 'usedUp';

/**
 * Format of another service's export files. Field names are normalized with `normalizeFieldName`. In lists of field
 * names, earlier names take precedence.
 */
export interface Format {
  /** Name of the format, which is shown in the preview. */
  name: string;
  /** Lists of field names. A file is in this format if it has all fields of at least one list. */
  detectedBy: readonly (readonly string[])[];
  /** Names of the fields that contain each property of a link. */
  fields: Partial<Record<Field, readonly string[]>>;
  /**
   * Names of fields whose data cannot be imported. Empty fields and values such as `no` or `0` contain nothing to lose.
   */
  losses: Partial<Record<Loss, readonly string[]>>;
  /**
   * Names of fields that exclude a link from the import. Empty fields and values such as `no` or `0` do not exclude
   * the link.
   */
  exclusions: Partial<Record<Exclusion, readonly string[]>>;
  /**
   * True if only an empty text means that a value is missing. If false, texts such as `NULL` or `0` can also mean
   * this.
   */
  hasPlainValues?: boolean;
  /** Warnings that users see before the import. */
  notes?: readonly string[];
  /**
   * Warning that short codes are not case-sensitive on the exporting service. Absent if they are case-sensitive
   * there.
   */
  caseNote?: string;
}
