import type { Format } from './format.ts';

/** Responses of chhoto-url's API, and its database table `urls`. Links whose expiry is 0 do not expire. */
export const chhoto: Format = {
  name: 'chhoto-url',
  detectedBy: [
    ['shortlink', 'longlink'],
    ['shorturl', 'longurl', 'hits'],
  ],
  fields: {
    code: ['shortlink', 'shorturl'],
    url: ['longlink', 'longurl'],
    expiresAt: ['expirytime'],
    clicks: ['hits'],
  },
  losses: { notes: ['notes'] },
};

/** Responses of Kutt's API for users and admins, and its database table `links`. Kutt has no export function. */
export const kutt: Format = {
  name: 'Kutt',
  detectedBy: [['address', 'target']],
  fields: {
    code: ['address'],
    shortUrl: ['link', 'link.link'],
    domain: ['domain', 'domainid'],
    url: ['target'],
    title: ['description'],
    createdAt: ['createdat'],
    expiresAt: ['expirein'],
    clicks: ['visitcount'],
  },
  exclusions: { password: ['password'], banned: ['banned'] },
};

export const lynx: Format = {
  name: 'Lynx',
  detectedBy: [['slug', 'destination']],
  fields: { code: ['slug'], url: ['destination'], createdAt: ['creationdate'], clicks: ['visits'] },
};

/** Database table `links` of Polr. Secret links have the path `code/secret`, which becomes the short code. */
export const polr: Format = {
  name: 'Polr',
  detectedBy: [['shorturl', 'longurl', 'secretkey']],
  fields: { code: ['shorturl'], secret: ['secretkey'], url: ['longurl'], createdAt: ['createdat'], clicks: ['clicks'] },
  exclusions: { disabled: ['isdisabled'] },
};

/** Fields that Shlink's API and both of its CSV formats have in common. */
const SHLINK_FIELDS = {
  code: ['shortcode'],
  shortUrl: ['shorturl'],
  domain: ['domain'],
  url: ['longurl'],
  title: ['title'],
  clicks: ['visitssummary.total', 'visitscount', 'visits'],
  tags: ['tags'],
};
const SHLINK_LOOSE_MODE = 'In “loose” mode, Shlink ignores upper and lower case in short codes.';

export const shlinkApi: Format = {
  name: 'Shlink (REST API)',
  detectedBy: [['longurl', 'shortcode', 'datecreated']],
  fields: {
    ...SHLINK_FIELDS,
    createdAt: ['datecreated'],
    expiresAt: ['meta.validuntil'],
    validFrom: ['meta.validsince'],
    clickLimit: ['meta.maxvisits'],
    forwardQuery: ['forwardquery'],
  },
  losses: { rules: ['hasredirectrules'] },
  caseNote: SHLINK_LOOSE_MODE,
};

/** CSV export of Shlink's web client, and the CSV format that Shlink itself can import. */
export const shlinkCsv: Format = {
  name: 'Shlink (CSV)',
  detectedBy: [
    ['longurl', 'shortcode'],
    ['longurl', 'shorturl', 'tags'],
  ],
  fields: {
    ...SHLINK_FIELDS,
    createdAt: ['createdat'],
  },
  notes: [
    'Shlink’s CSV does not contain start dates, expiry dates, visit limits, redirect rules or query forwarding. The JSON responses of its REST API do.',
  ],
  caseNote: SHLINK_LOOSE_MODE,
};

/** Exports, backups and API responses of Sink. Times are in seconds since 1970. */
export const sink: Format = {
  name: 'Sink',
  detectedBy: [['slug', 'url', 'createdat']],
  fields: {
    code: ['slug'],
    url: ['url'],
    title: ['title'],
    createdAt: ['createdat'],
    expiresAt: ['expiration'],
    tags: ['tags'],
    forwardQuery: ['redirectwithquery'],
  },
  losses: {
    notes: ['comment'],
    preview: ['description', 'image', 'cloaking'],
    rules: ['apple', 'google', 'geo'],
  },
  exclusions: { password: ['password'], warning: ['unsafe'] },
  caseNote: 'By default, Sink ignores upper and lower case in short codes.',
};

const YOURLS_CLICKS = ['clicks', 'hits'];
const YOURLS_NOTES = ['This file does not say which links a YOURLS plugin hides or protects with a password.'];

/**
 * API responses and database table of YOURLS. The responses come from the action `stats`, or from the action
 * `shlink-list` of a plugin.
 */
export const yourls: Format = {
  name: 'YOURLS',
  detectedBy: [
    ['keyword', 'url'],
    ['shorturl', 'url', 'timestamp', 'ip'],
  ],
  fields: {
    code: ['keyword'],
    shortUrl: ['shorturl'],
    url: ['url'],
    title: ['title'],
    createdAt: ['timestamp'],
    clicks: YOURLS_CLICKS,
  },
  notes: YOURLS_NOTES,
};

/** CSV export of the YOURLS plugin “Import Export”. Short codes are written between slashes. */
export const yourlsPluginCsv: Format = {
  name: 'YOURLS (Import Export plugin)',
  detectedBy: [['source', 'target']],
  fields: { code: ['source'], url: ['target'], clicks: YOURLS_CLICKS },
  notes: YOURLS_NOTES,
};
