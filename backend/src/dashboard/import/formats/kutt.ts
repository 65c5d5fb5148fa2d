import type { Format } from './format.ts';

/** The pages of its API, for users and for admins, and its table `links`. It has no export of its own. */
export const kutt: Format = {
  name: 'Kutt',
  signs: [['address', 'target']],
  fields: {
    code: ['address'],
    shortUrl: ['link', 'link.link'],
    domain: ['domain', 'domainid'],
    url: ['target'],
    title: ['description'],
    createdAt: ['createdat'],
    expiresAt: ['expirein'],
  },
  losses: { clicks: ['visitcount'] },
  exclusions: { password: ['password'], banned: ['banned'] },
};
