import type { Format } from './format.ts';

/** Names of fields that most services use. */
const COMMON_FIELDS: Format['fields'] = {
  code: ['shortcode'],
  shortUrl: ['shorturl'],
  domain: ['domain'],
  url: ['url'],
  title: ['title'],
  createdAt: ['createdat'],
  expiresAt: ['expiresat'],
  clicks: ['clicks'],
  tags: ['tags'],
  forwardQuery: ['forwardquery'],
};

const COMMON_LOSSES: Format['losses'] = { archived: ['archived'] };

const COMMON_EXCLUSIONS: Format['exclusions'] = {
  password: ['password', 'haspassword'],
  banned: ['banned'],
  disabled: ['disabled', 'isdisabled'],
  deleted: ['deleted', 'isdeleted'],
};

/** A format without the names that most services use. */
type OwnFormat = Pick<Format, 'name' | 'detectedBy' | 'fields'> & Partial<Format>;

/** Fields that Shlink's API and both of its CSV formats have in common. */
const SHLINK_FIELDS: Format['fields'] = {
  url: ['longurl'],
  clicks: ['visitssummary.total', 'visitscount', 'visits'],
};
const SHLINK_LOOSE_MODE = 'In “loose” mode, Shlink ignores upper and lower case in short codes.';
const YOURLS_CLICKS = ['clicks', 'hits'];
const YOURLS_NOTES = ['This file does not say which links a YOURLS plugin hides or protects with a password.'];

const OWN_FORMATS: readonly OwnFormat[] = [
  /** Terse's own CSV and JSON exports. */
  {
    name: 'Terse',
    detectedBy: [['shortcode', 'shorturl', 'url']],
    hasPlainValues: true,
    fields: {
      importedClicks: ['importedclicks'],
    },
  },
  /** Database table `links` of Polr. Secret links have the path `code/secret`, which becomes the short code. */
  {
    name: 'Polr',
    detectedBy: [['shorturl', 'longurl', 'secretkey']],
    fields: { code: ['shorturl'], shortUrl: [], secret: ['secretkey'], url: ['longurl'] },
  },
  /**
   * Responses of T.LY's API. Tags are numbers in these responses and cannot be imported. The description of a link is
   * imported as its title.
   */
  {
    name: 'T.LY',
    detectedBy: [['longurl', 'shortid']],
    fields: {
      code: ['shortid'],
      url: ['longurl'],
      title: ['description'],
      expiresAt: ['expireatdatetime'],
      clickLimit: ['expireatviews'],
      tags: [],
    },
    losses: { tags: ['tags'], rules: ['meta'] },
  },
  /**
   * Responses of Bitly's API. A link can have several short URLs. All of them are imported, because each may have been
   * published.
   */
  {
    name: 'Bitly',
    detectedBy: [['custombitlinks', 'link']],
    fields: {
      everyShortUrl: ['link', 'custombitlinks'],
      url: ['longurl'],
      expiresAt: ['expirationat'],
    },
    losses: { rules: ['deeplinks'] },
  },
  /** Responses of Kutt's API for users and admins, and its database table `links`. Kutt has no export function. */
  {
    name: 'Kutt',
    detectedBy: [['address', 'target']],
    fields: {
      code: ['address'],
      shortUrl: ['link', 'link.link'],
      domain: ['domain', 'domainid'],
      url: ['target'],
      title: ['description'],
      expiresAt: ['expirein'],
      clicks: ['visitcount'],
    },
  },
  {
    name: 'Shlink (REST API)',
    detectedBy: [['longurl', 'shortcode', 'datecreated']],
    fields: {
      ...SHLINK_FIELDS,
      createdAt: ['datecreated'],
      expiresAt: ['meta.validuntil'],
      validFrom: ['meta.validsince'],
      clickLimit: ['meta.maxvisits'],
    },
    losses: { rules: ['hasredirectrules'] },
    caseNote: SHLINK_LOOSE_MODE,
  },
  /** CSV export of Shlink's web client, and the CSV format that Shlink itself can import. */
  {
    name: 'Shlink (CSV)',
    detectedBy: [
      ['longurl', 'shortcode'],
      ['longurl', 'shorturl', 'tags'],
    ],
    fields: SHLINK_FIELDS,
    notes: [
      'Shlink’s CSV does not contain start dates, expiry dates, visit limits, redirect rules or query forwarding. The JSON responses of its REST API do.',
    ],
    caseNote: SHLINK_LOOSE_MODE,
  },
  /**
   * Responses of TinyURL's API for single links. Responses that list several links are not supported, because they
   * contain no long URLs.
   */
  {
    name: 'TinyURL',
    detectedBy: [['alias', 'tinyurl']],
    fields: {
      code: ['alias'],
      shortUrl: ['tinyurl'],
      clicks: ['hits'],
    },
    notes: [
      'TinyURL’s list of links contains no long URLs. Request each link from its API (/alias/DOMAIN/ALIAS), and save the responses one after another in a file.',
    ],
  },
  /**
   * API responses and database table of YOURLS. The responses come from the action `stats`, or from the action
   * `shlink-list` of a plugin.
   */
  {
    name: 'YOURLS',
    detectedBy: [
      ['keyword', 'url'],
      ['shorturl', 'url', 'timestamp', 'ip'],
    ],
    fields: {
      code: ['keyword'],
      createdAt: ['timestamp'],
      clicks: YOURLS_CLICKS,
    },
    notes: YOURLS_NOTES,
  },
  /** CSV export of the YOURLS plugin “Import Export”. Short codes are written between slashes. */
  {
    name: 'YOURLS (Import Export plugin)',
    detectedBy: [['source', 'target']],
    fields: { code: ['source'], url: ['target'], clicks: YOURLS_CLICKS },
    notes: YOURLS_NOTES,
  },
  /** CSV file exported from Dub. Users can choose which columns are exported. */
  {
    name: 'Dub',
    detectedBy: [['shortlink', 'destinationurl']],
    fields: {
      shortUrl: ['shortlink'],
      url: ['destinationurl'],
    },
    losses: { sales: ['leads', 'conversions', 'revenue'] },
    notes: [
      'Dub’s export does not say which links have a password or expire. Remove such links from the file first, because anyone could open them.',
    ],
    caseNote: 'Dub ignores upper and lower case in short codes on most domains.',
  },
  {
    name: 'Lynx',
    detectedBy: [['slug', 'destination']],
    fields: { code: ['slug'], url: ['destination'], createdAt: ['creationdate'], clicks: ['visits'] },
  },
  /** Exports, backups and API responses of Sink. Times are in seconds since 1970. */
  {
    name: 'Sink',
    detectedBy: [['slug', 'url', 'createdat']],
    fields: {
      code: ['slug'],
      expiresAt: ['expiration'],
      forwardQuery: ['redirectwithquery'],
    },
    losses: {
      notes: ['comment'],
      preview: ['description', 'image', 'cloaking'],
      rules: ['apple', 'google', 'geo'],
    },
    exclusions: { warning: ['unsafe'] },
    caseNote: 'By default, Sink ignores upper and lower case in short codes.',
  },
  /** Responses of Rebrandly's API, and CSV files from its command line tool. */
  {
    name: 'Rebrandly',
    detectedBy: [['slashtag', 'destination']],
    fields: {
      code: ['slashtag'],
      domain: ['domain.fullname', 'domain'],
      url: ['destination'],
      forwardQuery: ['forwardparameters'],
    },
  },
  /** Responses of Short.io's API. If a link has an empty path, its short URL is the domain alone. */
  {
    name: 'Short.io',
    detectedBy: [['originalurl', 'path']],
    fields: {
      code: ['path'],
      shortUrl: ['shorturl', 'secureshorturl'],
      url: ['originalurl'],
      expiresAt: ['expiresat', 'ttl'],
      clickLimit: ['clickslimit'],
    },
    losses: {
      expiredUrl: ['expiredurl'],
      rules: ['spliturl', 'iphoneurl', 'androidurl'],
      preview: ['cloaking'],
    },
  },
  /** Responses of chhoto-url's API, and its database table `urls`. Links whose expiry is 0 do not expire. */
  {
    name: 'chhoto-url',
    detectedBy: [
      ['shortlink', 'longlink'],
      ['shorturl', 'longurl', 'hits'],
    ],
    fields: {
      code: ['shortlink', 'shorturl'],
      shortUrl: [],
      url: ['longlink', 'longurl'],
      expiresAt: ['expirytime'],
      clicks: ['hits'],
    },
    losses: { notes: ['notes'] },
  },
  /**
   * Fallback for files from unknown services, and for Bitly's CSV export, whose columns are not documented. This format
   * matches common field names and is tried last.
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
      everyShortUrl: [
        'shorturl',
        'shortlink',
        'link',
        'bitlink',
        'shortenedurl',
        'customlink',
        'custombitlink',
        'tinyurl',
      ],
      url: ['longurl', 'target', 'url', 'originalurl', 'destinationurl', 'destination', 'longlink'],
      title: ['title', 'description'],
      createdAt: ['createdat', 'timestamp', 'datecreated', 'created', 'creationdate'],
      expiresAt: ['expiresat', 'expirein', 'validuntil', 'expires', 'expiration', 'expirationdate'],
      validFrom: ['validsince', 'validfrom'],
      clicks: ['clicks', 'visits', 'hits', 'visitcount', 'totalclicks'],
      clickLimit: ['maxvisits', 'clickslimit', 'clicklimit'],
    },
    losses: { notes: ['notes', 'note', 'comment', 'campaign'] },
  },
];

/**
 * Formats of other services, in the order in which they are tried. Formats that require more fields precede similar
 * formats that require fewer fields.
 */
export const FORMATS: readonly Format[] = OWN_FORMATS.map((own) => ({
  ...own,
  fields: { ...COMMON_FIELDS, ...own.fields },
  losses: { ...COMMON_LOSSES, ...own.losses },
  exclusions: { ...COMMON_EXCLUSIONS, ...own.exclusions },
}));
