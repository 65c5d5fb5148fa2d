import type { Format } from './format.ts';
import { bitly, bitlyCsv, dub, rebrandly, shortio, tinyurl, tly } from './hosted-services.ts';
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
  yourlsPluginFeed,
  yourlsPluginXml,
} from './self-hosted-services.ts';

/** Terse's own exports. */
export const terseFormat: Format = {
  name: 'Terse',
  signs: [['shortcode', 'shorturl', 'url']],
  fields: {
    code: ['shortcode'],
    shortUrl: ['shorturl'],
    url: ['url'],
    title: ['title'],
    createdAt: ['createdat'],
    expiresAt: ['expiresat'],
  },
  losses: { clicks: ['clicks'] },
};

/** Any file that names its fields as people commonly do. Last of all, so that every other format comes first. */
export const genericFormat: Format = {
  name: 'a table with named columns',
  signs: [['longurl'], ['target'], ['url'], ['originalurl'], ['destination'], ['destinationurl'], ['longlink']],
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
    everyShortUrl: ['shorturl', 'shortlink', 'link', 'bitlink', 'shortenedurl', 'customlink', 'tinyurl'],
    domain: ['domain'],
    url: ['longurl', 'target', 'url', 'originalurl', 'destinationurl', 'destination', 'longlink'],
    title: ['title', 'description'],
    createdAt: ['createdat', 'timestamp', 'datecreated', 'created', 'creationdate'],
    expiresAt: ['expiresat', 'expirein', 'validuntil', 'expires', 'expiration', 'expirationdate'],
    validFrom: ['validsince', 'validfrom'],
    clicks: ['clicks', 'visits', 'hits'],
    clickLimit: ['maxvisits', 'clickslimit', 'clicklimit'],
  },
  losses: { tags: ['tags'], clicks: ['clicks', 'visits', 'hits', 'visitcount'], notes: ['notes', 'note', 'comment'] },
  exclusions: {
    password: ['password', 'haspassword'],
    banned: ['banned'],
    disabled: ['disabled', 'isdisabled'],
    deleted: ['deleted', 'isdeleted'],
  },
};

/** Where two formats have fields in common, the one that asks for more comes first. */
const FORMATS: readonly Format[] = [
  terseFormat,
  polr,
  tly,
  bitly,
  bitlyCsv,
  kutt,
  shlinkApi,
  shlinkCsv,
  tinyurl,
  yourls,
  yourlsPluginCsv,
  yourlsPluginXml,
  yourlsPluginFeed,
  dub,
  lynx,
  sink,
  rebrandly,
  shortio,
  chhoto,
  genericFormat,
];

/** The format that a file's fields show; null where they name no long URLs. */
export function detectService(fields: ReadonlySet<string>): Format | null {
  return FORMATS.find(({ signs }) => signs.some((names) => names.every((name) => fields.has(name)))) ?? null;
}
