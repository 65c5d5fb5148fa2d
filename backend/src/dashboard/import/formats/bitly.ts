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
