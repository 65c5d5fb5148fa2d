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
  fields: Record<Field, readonly string[]>;
  /**
   * True if only an empty text means that a value is missing. If false, texts such as `NULL` or `0` can also mean
   * this.
   */
  hasPlainValues?: boolean;
  /** Warnings that users see before the import. */
  notes?: readonly string[];
}

/** Properties of a link that can be imported. */
export type Field = 'code' | 'url' | keyof typeof COMMON_FIELDS;

/** Names of fields that have the same meaning in all services that use them. */
const COMMON_FIELDS = {
  /**
   * Short URLs of the link. If the file does not contain the short code, all of them are imported, because each may have
   * been published.
   */
  shortUrls: [
    'shorturl',
    'shortlink',
    'link',
    'link.link',
    'bitlink',
    'shortenedurl',
    'customlink',
    'custombitlinks',
    'custombitlink',
    'tinyurl',
  ],
  domain: ['domain.fullname', 'domain'],
  title: ['title', 'description'],
  createdAt: ['createdat', 'timestamp', 'datecreated', 'created', 'creationdate'],
  expiresAt: [
    'expiresat',
    'expirein',
    'expireatdatetime',
    'expirationat',
    'expirytime',
    'meta.validuntil',
    'validuntil',
    'expires',
    'expiration',
    'expirationdate',
    'ttl',
  ],
  /** Time at which the link starts to work. */
  validFrom: ['validsince', 'meta.validsince', 'validfrom'],
  clicks: ['clicks', 'visitssummary.total', 'visitscount', 'visits', 'hits', 'visitcount', 'totalclicks'],
  /** Clicks that the exporting service had itself imported from another service. They are added to `clicks`. */
  importedClicks: ['importedclicks'],
  clickLimit: ['maxvisits', 'meta.maxvisits', 'clickslimit', 'clicklimit', 'expireatviews'],
  tags: ['tags'],
  /** True if redirects add the visitor's query parameters to the long URL. */
  forwardQuery: ['forwardquery', 'redirectwithquery', 'forwardparameters'],
  /** Second part of a short URL's path. The first part is the short code. */
  secret: ['secretkey'],
} satisfies Record<string, readonly string[]>;

/**
 * Names of fields that exclude a link from the import. Empty fields and values such as `no` or `0` do not exclude the
 * link.
 */
export const EXCLUDING_FIELDS: Partial<Record<Exclusion, readonly string[]>> = {
  password: ['password', 'haspassword'],
  banned: ['banned'],
  disabled: ['disabled', 'isdisabled'],
  deleted: ['deleted', 'isdeleted'],
  warning: ['unsafe'],
};

/** A format with only those fields whose names have another meaning in other services. */
type OwnFormat = Omit<Format, 'fields'> & { fields: Partial<Format['fields']> };

const OWN_FORMATS: readonly OwnFormat[] = [
  /** Terse's own CSV and JSON exports. */
  {
    name: 'Terse',
    detectedBy: [['shortcode', 'shorturl', 'url']],
    hasPlainValues: true,
    fields: { code: ['shortcode'], url: ['url'] },
  },
  /** Database table `links` of Polr. Secret links have the path `code/secret`, which becomes the short code. */
  {
    name: 'Polr',
    detectedBy: [['shorturl', 'longurl', 'secretkey']],
    fields: { code: ['shorturl'], url: ['longurl'] },
  },
  /** Responses of T.LY's API. Tags are numbers in these responses and cannot be imported. */
  {
    name: 'T.LY',
    detectedBy: [['longurl', 'shortid']],
    fields: { code: ['shortid'], url: ['longurl'], tags: [] },
  },
  /** Responses of Bitly's API. A link can have several short URLs. */
  {
    name: 'Bitly',
    detectedBy: [['custombitlinks', 'link']],
    fields: { url: ['longurl'] },
  },
  /** Responses of Kutt's API for users and admins, and its database table `links`. Kutt has no export function. */
  {
    name: 'Kutt',
    detectedBy: [['address', 'target']],
    fields: { code: ['address'], url: ['target'], domain: ['domain', 'domainid'] },
  },
  {
    name: 'Shlink (REST API)',
    detectedBy: [['longurl', 'shortcode', 'datecreated']],
    fields: { code: ['shortcode'], url: ['longurl'] },
  },
  /** CSV export of Shlink's web client, and the CSV format that Shlink itself can import. */
  {
    name: 'Shlink (CSV)',
    detectedBy: [
      ['longurl', 'shortcode'],
      ['longurl', 'shorturl', 'tags'],
    ],
    fields: { code: ['shortcode'], url: ['longurl'] },
    notes: [
      'Shlink’s CSV does not contain start dates, expiry dates, visit limits, redirect rules or query forwarding. The JSON responses of its REST API do.',
    ],
  },
  /**
   * Responses of TinyURL's API for single links. Responses that list several links are not supported, because they
   * contain no long URLs.
   */
  {
    name: 'TinyURL',
    detectedBy: [['alias', 'tinyurl']],
    fields: { code: ['alias'], url: ['url'] },
    notes: [
      'TinyURL’s list of links contains no long URLs. Request each link from its API (/alias/DOMAIN/ALIAS), and save the responses one after another in a file.',
    ],
  },
  /**
   * API responses and database table of YOURLS, and the CSV export of its plugin “Import Export”. The responses come from
   * the action `stats`, or from the action `shlink-list` of a plugin.
   */
  {
    name: 'YOURLS',
    detectedBy: [
      ['keyword', 'url'],
      ['shorturl', 'url', 'timestamp', 'ip'],
      ['source', 'target'],
    ],
    fields: { code: ['keyword', 'source'], url: ['url', 'target'] },
    notes: ['This file does not say which links a YOURLS plugin hides or protects with a password.'],
  },
  /** CSV file exported from Dub. Users can choose which columns are exported. */
  {
    name: 'Dub',
    detectedBy: [['shortlink', 'destinationurl']],
    fields: { url: ['destinationurl'] },
    notes: [
      'Dub’s export does not say which links have a password or expire. Remove such links from the file first, because anyone could open them.',
    ],
  },
  {
    name: 'Lynx',
    detectedBy: [['slug', 'destination']],
    fields: { code: ['slug'], url: ['destination'] },
  },
  /** Exports, backups and API responses of Sink. Times are in seconds since 1970. */
  {
    name: 'Sink',
    detectedBy: [['slug', 'url', 'createdat']],
    fields: { code: ['slug'], url: ['url'], title: ['title'] },
  },
  /** Responses of Rebrandly's API, and CSV files from its command line tool. */
  {
    name: 'Rebrandly',
    detectedBy: [['slashtag', 'destination']],
    fields: { code: ['slashtag'], url: ['destination'] },
  },
  /** Responses of Short.io's API. If a link has an empty path, its short URL is the domain alone. */
  {
    name: 'Short.io',
    detectedBy: [['originalurl', 'path']],
    fields: { code: ['path'], url: ['originalurl'] },
  },
  /** Responses of chhoto-url's API, and its database table `urls`. Links whose expiry is 0 do not expire. */
  {
    name: 'chhoto-url',
    detectedBy: [
      ['shortlink', 'longlink'],
      ['shorturl', 'longurl', 'hits'],
    ],
    fields: { code: ['shortlink', 'shorturl'], url: ['longlink', 'longurl'] },
  },
  /**
   * Fallback for files from unknown services, and for Bitly's CSV export, whose columns are not documented. This format
   * is tried last.
   */
  {
    name: 'a table with named columns',
    detectedBy: [['longurl'], ['target'], ['url'], ['originalurl'], ['destination'], ['destinationurl'], ['longlink']],
    fields: {
      code: [
        'shortcode',
        'keyword',
        'address',
        'source',
        'code',
        'slug',
        'alias',
        'backhalf',
        'slashtag',
        'shortid',
        'path',
      ],
      url: ['longurl', 'target', 'url', 'originalurl', 'destinationurl', 'destination', 'longlink'],
    },
  },
];

/**
 * Formats of other services, in the order in which they are tried. Formats that require more fields precede similar
 * formats that require fewer fields.
 */
export const FORMATS: readonly Format[] = OWN_FORMATS.map((own) => ({
  ...own,
  fields: { code: [], url: [], ...COMMON_FIELDS, ...own.fields },
}));
