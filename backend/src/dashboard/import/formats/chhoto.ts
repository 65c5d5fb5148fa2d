import type { Format } from './format.ts';

/** What its API answers, and its table `urls`. An expiry of 0 is none. */
export const chhoto: Format = {
  name: 'chhoto-url',
  signs: [
    ['shortlink', 'longlink'],
    ['shorturl', 'longurl', 'hits'],
  ],
  fields: { code: ['shortlink', 'shorturl'], url: ['longlink', 'longurl'], expiresAt: ['expirytime'] },
  losses: { clicks: ['hits'], notes: ['notes'] },
};
