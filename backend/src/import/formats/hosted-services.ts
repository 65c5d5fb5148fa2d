import type { Format } from './format.ts';

/**
 * Responses of Bitly's API. A link can have several short URLs. All of them are imported, because each may have been
 * published.
 */
export const bitly: Format = {
  name: 'Bitly',
  detectedBy: [['custombitlinks', 'link']],
  fields: {
    everyShortUrl: ['link', 'custombitlinks'],
    url: ['longurl'],
    title: ['title'],
    createdAt: ['createdat'],
    expiresAt: ['expirationat'],
    tags: ['tags'],
  },
  losses: { archived: ['archived'], rules: ['deeplinks'] },
  exclusions: { deleted: ['isdeleted'] },
};

/** CSV file exported from Dub. Users can choose which columns are exported. */
export const dub: Format = {
  name: 'Dub',
  detectedBy: [['shortlink', 'destinationurl']],
  fields: {
    shortUrl: ['shortlink'],
    url: ['destinationurl'],
    createdAt: ['createdat'],
    clicks: ['clicks'],
    tags: ['tags'],
  },
  losses: { sales: ['leads', 'conversions', 'revenue'], archived: ['archived'] },
  notes: [
    'Dub’s export does not say which links have a password or expire. Remove such links from the file first, because anyone could open them.',
  ],
  caseNote: 'Dub ignores upper and lower case in short codes on most domains.',
};

/** Responses of Rebrandly's API, and CSV files from its command line tool. */
export const rebrandly: Format = {
  name: 'Rebrandly',
  detectedBy: [['slashtag', 'destination']],
  fields: {
    code: ['slashtag'],
    shortUrl: ['shorturl'],
    domain: ['domain.fullname', 'domain'],
    url: ['destination'],
    title: ['title'],
    createdAt: ['createdat'],
    clicks: ['clicks'],
    tags: ['tags'],
    forwardQuery: ['forwardparameters'],
  },
  losses: { archived: ['archived'] },
};

/** Responses of Short.io's API. If a link has an empty path, its short URL is the domain alone. */
export const shortio: Format = {
  name: 'Short.io',
  detectedBy: [['originalurl', 'path']],
  fields: {
    code: ['path'],
    shortUrl: ['shorturl', 'secureshorturl'],
    url: ['originalurl'],
    title: ['title'],
    createdAt: ['createdat'],
    expiresAt: ['expiresat', 'ttl'],
    clicks: ['clicks'],
    clickLimit: ['clickslimit'],
    tags: ['tags'],
  },
  losses: {
    archived: ['archived'],
    expiredUrl: ['expiredurl'],
    rules: ['spliturl', 'iphoneurl', 'androidurl'],
    preview: ['cloaking'],
  },
  exclusions: { password: ['password', 'haspassword'] },
};

/**
 * Responses of TinyURL's API for single links. Responses that list several links are not supported, because they
 * contain no long URLs.
 */
export const tinyurl: Format = {
  name: 'TinyURL',
  detectedBy: [['alias', 'tinyurl']],
  fields: {
    code: ['alias'],
    shortUrl: ['tinyurl'],
    domain: ['domain'],
    url: ['url'],
    createdAt: ['createdat'],
    expiresAt: ['expiresat'],
    clicks: ['hits'],
    tags: ['tags'],
  },
  losses: { archived: ['archived'] },
  exclusions: { deleted: ['deleted'] },
  notes: [
    'TinyURL’s list of links contains no long URLs. Request each link from its API (/alias/DOMAIN/ALIAS), and save the responses one after another in a file.',
  ],
};

/**
 * Responses of T.LY's API. Tags are numbers in these responses and cannot be imported. The description of a link is
 * imported as its title.
 */
export const tly: Format = {
  name: 'T.LY',
  detectedBy: [['longurl', 'shortid']],
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
