/** Data of a link that a record can contain. */
export type Field =
  | 'code'
  /** Short URL. If a record has several such fields, the first one that is not empty counts. */
  | 'shortUrl'
  /** One or more short URLs of the same link. Each becomes a link, because each may have been published. */
  | 'everyShortUrl'
  | 'domain'
  | 'url'
  | 'title'
  | 'createdAt'
  | 'expiresAt'
  /** Time from which the link works. */
  | 'validFrom'
  | 'clicks'
  | 'clickLimit'
  /** Second part of the link's path, after its code. */
  | 'secret';

/** Data of a link that Terse does not support. */
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

/** Reason why a link is not imported: anyone could open it, unlike on the other service. */
export type Exclusion = 'password' | 'banned' | 'disabled' | 'deleted' | 'warning' | 'notYet' | 'usedUp';

/** Export format of a service. Field names are in the form that `normalizeFieldName` returns, the best one first. */
export interface Format {
  /** Name in the preview. */
  name: string;
  /** Sets of fields. A file that has all fields of one set is in this format. */
  detectedBy: readonly (readonly string[])[];
  fields: Partial<Record<Field, readonly string[]>>;
  /** Fields that mean a loss or an exclusion if they have any value except “no” or an empty one. */
  losses?: Partial<Record<Loss, readonly string[]>>;
  exclusions?: Partial<Record<Exclusion, readonly string[]>>;
  /** Warnings to show before the import. */
  notes?: readonly string[];
}
