import type { Format } from './format.ts';

/** What its API and both kinds of its CSV call by the same names. */
const FIELDS = {
  code: ['shortcode'],
  shortUrl: ['shorturl'],
  domain: ['domain'],
  url: ['longurl'],
  title: ['title'],
};
const LOOSE =
  'In its “loose” mode, Shlink ignores the case of short codes. Here, a short URL works only in the case that the file has.';
const CLICKS = ['visitssummary.total', 'visitscount', 'visits'];

/** The pages of its REST API. */
export const shlinkApi: Format = {
  name: 'Shlink (REST API)',
  signs: [['longurl', 'shortcode', 'datecreated']],
  fields: {
    ...FIELDS,
    createdAt: ['datecreated'],
    expiresAt: ['meta.validuntil'],
    validFrom: ['meta.validsince'],
    clicks: CLICKS,
    clickLimit: ['meta.maxvisits'],
  },
  losses: { tags: ['tags'], clicks: CLICKS, rules: ['hasredirectrules'], query: ['forwardquery'] },
  notes: [LOOSE],
};

/** The CSV of its web client, and the CSV that its importer takes. */
export const shlinkCsv: Format = {
  name: 'Shlink (CSV)',
  signs: [
    ['longurl', 'shortcode'],
    ['longurl', 'shorturl', 'tags'],
  ],
  fields: {
    ...FIELDS,
    createdAt: ['createdat'],
  },
  losses: { tags: ['tags'], clicks: CLICKS },
  notes: [
    'Shlink’s CSV does not say which links have a first or last day, a limit of visits, redirect rules or query forwarding. What its REST API answers, as JSON, does.',
    LOOSE,
  ],
};
