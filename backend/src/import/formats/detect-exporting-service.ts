import type { Format } from './format.ts';
import { bitly, dub, rebrandly, shortio, tinyurl, tly } from './hosted-services.ts';
import {
  chhoto,
  kutt,
  lynx,
  polr,
  shlinkApi,
  shlinkCsv,
  sink,
  yourls,
  yourlsPluginCsv,
} from './self-hosted-services.ts';

/** Terse's own CSV and JSON exports. */
export const terseFormat: Format = {
  name: 'Terse',
  detectedBy: [['shortcode', 'shorturl', 'url']],
  hasPlainValues: true,
  fields: {
    code: ['shortcode'],
    shortUrl: ['shorturl'],
    url: ['url'],
    title: ['title'],
    createdAt: ['createdat'],
    expiresAt: ['expiresat'],
    clicks: ['clicks'],
    importedClicks: ['importedclicks'],
    tags: ['tags'],
    forwardQuery: ['forwardquery'],
  },
};

/**
 * Fallback for files from unknown services, and for Bitly's CSV export, whose columns are not documented. This format
 * matches common field names and is tried last.
 */
export const genericFormat: Format = {
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
    domain: ['domain'],
    url: ['longurl', 'target', 'url', 'originalurl', 'destinationurl', 'destination', 'longlink'],
    title: ['title', 'description'],
    createdAt: ['createdat', 'timestamp', 'datecreated', 'created', 'creationdate'],
    expiresAt: ['expiresat', 'expirein', 'validuntil', 'expires', 'expiration', 'expirationdate'],
    validFrom: ['validsince', 'validfrom'],
    clicks: ['clicks', 'visits', 'hits', 'visitcount', 'totalclicks'],
    clickLimit: ['maxvisits', 'clickslimit', 'clicklimit'],
    tags: ['tags'],
    forwardQuery: ['forwardquery'],
  },
  losses: { notes: ['notes', 'note', 'comment', 'campaign'], archived: ['archived'] },
  exclusions: {
    password: ['password', 'haspassword'],
    banned: ['banned'],
    disabled: ['disabled', 'isdisabled'],
    deleted: ['deleted', 'isdeleted'],
  },
};

/**
 * All formats, in the order in which they are tried. Formats that require more fields precede similar formats that
 * require fewer fields.
 */
const FORMATS: readonly Format[] = [
  terseFormat,
  polr,
  tly,
  bitly,
  kutt,
  shlinkApi,
  shlinkCsv,
  tinyurl,
  yourls,
  yourlsPluginCsv,
  dub,
  lynx,
  sink,
  rebrandly,
  shortio,
  chhoto,
  genericFormat,
];

/** Returns the format of a file with the given field names. Returns null if no field contains long URLs. */
export function detectService(fields: ReadonlySet<string>): Format | null {
  return FORMATS.find(({ detectedBy }) => detectedBy.some((names) => names.every((name) => fields.has(name)))) ?? null;
}
