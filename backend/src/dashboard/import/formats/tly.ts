import type { Format } from './format.ts';

/** The pages of its API. A description serves as title. */
export const tly: Format = {
  name: 'T.LY',
  signs: [['longurl', 'shortid']],
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
