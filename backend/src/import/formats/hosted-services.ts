import type { Format } from './format.ts';

/** The pages of its API. Its own back-half and every custom one were printed somewhere: each becomes a link. */
export const bitly: Format = {
  name: 'Bitly',
  signs: [['custombitlinks', 'link']],
  fields: {
    everyShortUrl: ['link', 'custombitlinks'],
    url: ['longurl'],
    title: ['title'],
    createdAt: ['createdat'],
    expiresAt: ['expirationat'],
  },
  losses: { tags: ['tags'], archived: ['archived'], rules: ['deeplinks'] },
  exclusions: { deleted: ['isdeleted'] },
};

/** The CSV of its dashboard, whose columns nobody has proven: three that were described. */
export const bitlyCsv: Format = {
  name: 'Bitly (CSV: its columns are not documented)',
  signs: [
    ['customlink', 'destinationurl'],
    ['bitlink', 'longurl'],
    ['link', 'longurl', 'createdat'],
  ],
  fields: {
    everyShortUrl: ['link', 'bitlink', 'customlink', 'custombitlink'],
    url: ['destinationurl', 'longurl'],
    title: ['title'],
    createdAt: ['createdat', 'created', 'datecreated'],
  },
  losses: { tags: ['tags'], clicks: ['totalclicks', 'clicks'], notes: ['campaign'], archived: ['archived'] },
};

/** Its export, in which the columns are the person's choice. */
export const dub: Format = {
  name: 'Dub',
  signs: [['shortlink', 'destinationurl']],
  fields: { shortUrl: ['shortlink'], url: ['destinationurl'], createdAt: ['createdat'] },
  losses: {
    clicks: ['clicks'],
    sales: ['leads', 'conversions', 'revenue'],
    tags: ['tags'],
    archived: ['archived'],
  },
  notes: [
    'Dub’s export does not say which links have a password or expire. Take such links out of the file first: here, anybody could open them.',
    'Dub ignores the case of short codes on most domains. Here, a short URL works only in the case that the file has.',
  ],
};

/** The pages of its API, and the CSV of a command line tool. */
export const rebrandly: Format = {
  name: 'Rebrandly',
  signs: [['slashtag', 'destination']],
  fields: {
    code: ['slashtag'],
    shortUrl: ['shorturl'],
    domain: ['domain.fullname', 'domain'],
    url: ['destination'],
    title: ['title'],
    createdAt: ['createdat'],
  },
  losses: { tags: ['tags'], clicks: ['clicks'], archived: ['archived'], query: ['forwardparameters'] },
};

/** The pages of its API. A link with an empty path belongs to the bare domain. */
export const shortio: Format = {
  name: 'Short.io',
  signs: [['originalurl', 'path']],
  fields: {
    code: ['path'],
    shortUrl: ['shorturl', 'secureshorturl'],
    url: ['originalurl'],
    title: ['title'],
    createdAt: ['createdat'],
    expiresAt: ['expiresat', 'ttl'],
    clicks: ['clicks'],
    clickLimit: ['clickslimit'],
  },
  losses: {
    tags: ['tags'],
    archived: ['archived'],
    expiredUrl: ['expiredurl'],
    rules: ['spliturl', 'iphoneurl', 'androidurl'],
    preview: ['cloaking'],
  },
  exclusions: { password: ['password', 'haspassword'] },
};

/** What its API answers. Its list does not say where links lead; the answer about a single one does. */
export const tinyurl: Format = {
  name: 'TinyURL',
  signs: [['alias', 'tinyurl']],
  fields: {
    code: ['alias'],
    shortUrl: ['tinyurl'],
    domain: ['domain'],
    url: ['url'],
    createdAt: ['createdat'],
    expiresAt: ['expiresat'],
  },
  losses: { tags: ['tags'], clicks: ['hits'], archived: ['archived'] },
  exclusions: { deleted: ['deleted'] },
  notes: [
    'TinyURL’s list of links does not say where they lead. Ask its API for each link (/alias/DOMAIN/ALIAS), and put the answers one after another into a file.',
  ],
};

/** The pages of its API. A description serves as title. */
export const tly: Format = {
  name: 'T.LY',
  signs: [['longurl', 'shortid']],
  fields: {
    code: ['shortid'],
    shortUrl: ['shorturl'],
    domain: ['domain'],
    url: ['longurl'],
    title: ['description'],
    createdAt: ['createdat'],
    expiresAt: ['expireatdatetime'],
    clickLimit: ['expireatviews'],
  },
  losses: { tags: ['tags'], rules: ['meta'] },
  exclusions: { password: ['haspassword', 'password'] },
};
