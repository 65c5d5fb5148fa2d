import type { Format } from './format.ts';

/** The pages of its API. A link with an empty path belongs to the bare domain. */
export const shortio: Format = {
  name: 'Short.io',
  signs: [['originalurl', 'path']],
  fields: {
    code: ['path'],
    shortUrl: ['shorturl', 'secureshorturl'],
    url: ['originalurl'],
    title: ['title'],
    createdAt: ['createdat'],
    expiresAt: ['expiresat', 'ttl'],
    clicks: ['clicks'],
    clickLimit: ['clickslimit'],
  },
  losses: {
    tags: ['tags'],
    archived: ['archived'],
    expiredUrl: ['expiredurl'],
    rules: ['spliturl', 'iphoneurl', 'androidurl'],
    preview: ['cloaking'],
  },
  exclusions: { password: ['password', 'haspassword'] },
};
