import type { Format } from './format.ts';

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
