/** What a record says about a link. */
export type Field =
  | 'code'
  /** Of several, the first that is filled in. */
  | 'shortUrl'
  /** Each is a short URL of the same link, printed somewhere; a list or a single one. */
  | 'everyShortUrl'
  | 'domain'
  | 'url'
  | 'title'
  | 'createdAt'
  | 'expiresAt'
  /** From when on the link works. */
  | 'validFrom'
  | 'clicks'
  | 'clickLimit'
  /** What the link's public path ends in, after its code. */
  | 'secret';

/** What a link had elsewhere, and Terse does not keep. */
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

/** Why a link is not imported at all: here, anybody could open it. */
export type Exclusion = 'password' | 'banned' | 'disabled' | 'deleted' | 'warning' | 'notYet' | 'usedUp';

/** What a service writes down about its links. Fields are named as `fieldName` makes them, the best name first. */
export interface Format {
  /** As the preview calls it. */
  name: string;
  /** Sets of fields: a file that has all of one set is in this format. */
  signs: readonly (readonly string[])[];
  fields: Partial<Record<Field, readonly string[]>>;
  /** Fields that tell of a loss, or of an exclusion, where they hold anything but “no” or “nothing”. */
  losses?: Partial<Record<Loss, readonly string[]>>;
  exclusions?: Partial<Record<Exclusion, readonly string[]>>;
  /** What to know before an import, each a sentence. */
  notes?: readonly string[];
}
