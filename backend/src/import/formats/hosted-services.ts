import type { Format } from './format.ts';

/** Responses of the API. Bitly's back-half and every custom one may have been published, so each becomes a link. */
export const bitly: Format = {
  name: 'Bitly',
  detectedBy: [['custombitlinks', 'link']],
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

/** CSV of the dashboard. Bitly does not document its columns, so three variants described by users are supported. */
export const bitlyCsv: Format = {
  name: 'Bitly (CSV with undocumented columns)',
  detectedBy: [
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

/** Export whose columns the user selects. */
export const dub: Format = {
  name: 'Dub',
  detectedBy: [['shortlink', 'destinationurl']],
  fields: { shortUrl: ['shortlink'], url: ['destinationurl'], createdAt: ['createdat'] },
  losses: {
    clicks: ['clicks'],
    sales: ['leads', 'conversions', 'revenue'],
    tags: ['tags'],
    archived: ['archived'],
  },
  notes: [
    'Dub’s export does not say which links have a password or expire. Remove such links from the file first, because anyone could open them.',
    'Dub ignores upper and lower case in short codes on most domains. In Terse, a short URL works only as it is written in the file.',
  ],
};

/** Responses of the API, and the CSV of the command line tool. */
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
  },
  losses: { tags: ['tags'], clicks: ['clicks'], archived: ['archived'], query: ['forwardparameters'] },
};

/** Responses of the API. A link with an empty path belongs to the bare domain. */
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

/** Responses of the API about single links. The list of links does not contain long URLs. */
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
  },
  losses: { tags: ['tags'], clicks: ['hits'], archived: ['archived'] },
  exclusions: { deleted: ['deleted'] },
  notes: [
    'TinyURL’s list of links contains no long URLs. Request each link from its API (/alias/DOMAIN/ALIAS), and save the responses one after another in a file.',
  ],
};

/** Responses of the API. The description becomes the title. */
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
