import { TAG_LENGTH_LIMIT, TAGS_LIMIT } from '@terse/contract';

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

/** Link data that cannot be imported, with its name and the consequence for the imported links. */
export const LOSSES = {
  tags: 'Tags',
  someTags: `Tags with more than ${TAG_LENGTH_LIMIT} characters, or beyond ${TAGS_LIMIT} per link`,
  clickLimit: 'Click limits: these links keep working',
  notes: 'Notes',
  archived: 'Archived status: these links are listed like all others',
  rules: 'Redirect rules: all visitors are redirected to the same address',
  sales: 'Leads, conversions and revenue',
  expiredUrl: 'Redirects of expired links',
  preview: 'Preview images and texts',
  titleEnd: 'Ends of long titles',
  createdAt:
    'Creation dates that cannot be read or are in the future: these links get the current date. Dates such as 2026-04-15 can be read',
  /** Link that leads to another short URL of its old domain. */
  alias:
    'Targets of links that lead to another short URL of their old domain: these links still lead there, and stop working together with it',
};

export type Loss = keyof typeof LOSSES;

/** Reasons why a link is not imported. The exporting service blocks the link or restricts access to it. */
export const EXCLUSIONS = {
  password: 'This link has a password. Terse does not support passwords, so anyone could open it.',
  banned: 'This link is banned on the other service.',
  disabled: 'This link is disabled on the other service.',
  deleted: 'This link is deleted on the other service.',
  warning:
    'The other service shows a warning before this link. Terse does not support warnings, so it would open directly.',
  notYet: 'This link is not active yet. Terse does not support start dates, so anyone could open it now.',
  unclearStart:
    'The start date of this link cannot be read. Terse does not support start dates, so anyone could open it now.',
  usedUp: 'This link has reached its click limit. Terse does not support click limits, so anyone could open it again.',
};

export type Exclusion = keyof typeof EXCLUSIONS;

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
