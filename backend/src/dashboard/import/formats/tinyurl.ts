import type { Format } from './format.ts';

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
