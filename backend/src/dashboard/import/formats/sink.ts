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
  },
  exclusions: { password: ['password'], warning: ['unsafe'] },
};
