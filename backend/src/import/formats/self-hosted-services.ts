import type { Format } from './format.ts';

/** What its API answers, and its table `urls`. An expiry of 0 is none. */
export const chhoto: Format = {
  name: 'chhoto-url',
  signs: [
    ['shortlink', 'longlink'],
    ['shorturl', 'longurl', 'hits'],
  ],
  fields: { code: ['shortlink', 'shorturl'], url: ['longlink', 'longurl'], expiresAt: ['expirytime'] },
  losses: { clicks: ['hits'], notes: ['notes'] },
};

/** The pages of its API, for users and for admins, and its table `links`. It has no export of its own. */
export const kutt: Format = {
  name: 'Kutt',
  signs: [['address', 'target']],
  fields: {
    code: ['address'],
    shortUrl: ['link', 'link.link'],
    domain: ['domain', 'domainid'],
    url: ['target'],
    title: ['description'],
    createdAt: ['createdat'],
    expiresAt: ['expirein'],
  },
  losses: { clicks: ['visitcount'] },
  exclusions: { password: ['password'], banned: ['banned'] },
};

/** Its exports as CSV and JSON. */
export const lynx: Format = {
  name: 'Lynx',
  signs: [['slug', 'destination']],
  fields: { code: ['slug'], url: ['destination'], createdAt: ['creationdate'] },
  losses: { clicks: ['visits'] },
};

/** Its table `links`. A secret link is found under `code/secret` alone, and stays so. */
export const polr: Format = {
  name: 'Polr',
  signs: [['shorturl', 'longurl', 'secretkey']],
  fields: { code: ['shorturl'], secret: ['secretkey'], url: ['longurl'], createdAt: ['createdat'] },
  losses: { clicks: ['clicks'] },
  exclusions: { disabled: ['isdisabled'] },
};

/** What its API and both kinds of its CSV call by the same names. */
const SHLINK_FIELDS = {
  code: ['shortcode'],
  shortUrl: ['shorturl'],
  domain: ['domain'],
  url: ['longurl'],
  title: ['title'],
};
const SHLINK_LOOSE_MODE =
  'In its “loose” mode, Shlink ignores the case of short codes. Here, a short URL works only in the case that the file has.';
const SHLINK_CLICKS = ['visitssummary.total', 'visitscount', 'visits'];

/** The pages of its REST API. */
export const shlinkApi: Format = {
  name: 'Shlink (REST API)',
  signs: [['longurl', 'shortcode', 'datecreated']],
  fields: {
    ...SHLINK_FIELDS,
    createdAt: ['datecreated'],
    expiresAt: ['meta.validuntil'],
    validFrom: ['meta.validsince'],
    clicks: SHLINK_CLICKS,
    clickLimit: ['meta.maxvisits'],
  },
  losses: { tags: ['tags'], clicks: SHLINK_CLICKS, rules: ['hasredirectrules'], query: ['forwardquery'] },
  notes: [SHLINK_LOOSE_MODE],
};

/** The CSV of its web client, and the CSV that its importer takes. */
export const shlinkCsv: Format = {
  name: 'Shlink (CSV)',
  signs: [
    ['longurl', 'shortcode'],
    ['longurl', 'shorturl', 'tags'],
  ],
  fields: {
    ...SHLINK_FIELDS,
    createdAt: ['createdat'],
  },
  losses: { tags: ['tags'], clicks: SHLINK_CLICKS },
  notes: [
    'Shlink’s CSV does not say which links have a first or last day, a limit of visits, redirect rules or query forwarding. What its REST API answers, as JSON, does.',
    SHLINK_LOOSE_MODE,
  ],
};

/** Its export, its backups, and the pages of its API; times are seconds since 1970. */
export const sink: Format = {
  name: 'Sink',
  signs: [['slug', 'url', 'createdat']],
  fields: { code: ['slug'], url: ['url'], title: ['title'], createdAt: ['createdat'], expiresAt: ['expiration'] },
  losses: {
    tags: ['tags'],
    notes: ['comment'],
    preview: ['description', 'image', 'cloaking'],
    rules: ['apple', 'google', 'geo'],
    query: ['redirectwithquery'],
  },
  exclusions: { password: ['password'], warning: ['unsafe'] },
  notes: [
    'Sink ignores the case of short codes, unless it is set not to. Here, a short URL works only in the case that the file has.',
  ],
};

const YOURLS_LOSSES = { clicks: ['clicks', 'hits', 'statistic.count'] } as const;
const YOURLS_NOTES = [
  'Links that a YOURLS plugin hides or protects by a password cannot be told from others in this file.',
];

/** What its API answers (`stats`, and `shlink-list` of a plugin), and its table. */
export const yourls: Format = {
  name: 'YOURLS',
  signs: [
    ['keyword', 'url'],
    ['shorturl', 'url', 'timestamp', 'ip'],
  ],
  fields: { code: ['keyword'], shortUrl: ['shorturl'], url: ['url'], title: ['title'], createdAt: ['timestamp'] },
  losses: YOURLS_LOSSES,
  notes: YOURLS_NOTES,
};

/** The CSV of the plugin “YOURLS Import Export”: codes stand between slashes. */
export const yourlsPluginCsv: Format = {
  name: 'YOURLS (Import Export plugin)',
  signs: [['source', 'target']],
  fields: { code: ['source'], url: ['target'] },
  losses: YOURLS_LOSSES,
  notes: YOURLS_NOTES,
};

/** The same plugin's feed, whose dates are all wrong. */
export const yourlsPluginFeed: Format = {
  name: 'YOURLS (Import Export plugin)',
  signs: [['title', 'guid', 'contentencoded']],
  fields: { code: ['title'], url: ['contentencoded'] },
  notes: YOURLS_NOTES,
};

/** The same plugin's XML; its `access` is when the link was made. */
export const yourlsPluginXml: Format = {
  name: 'YOURLS (Import Export plugin)',
  signs: [['source', 'action']],
  fields: { code: ['source'], url: ['action'], title: ['title'], createdAt: ['statistic.access'] },
  losses: YOURLS_LOSSES,
  notes: YOURLS_NOTES,
};
