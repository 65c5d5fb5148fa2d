import type { Format } from './format.ts';

/** Its table `links`. A secret link is found under `code/secret` alone, and stays so. */
export const polr: Format = {
  name: 'Polr',
  signs: [['shorturl', 'longurl', 'secretkey']],
  fields: { code: ['shorturl'], secret: ['secretkey'], url: ['longurl'], createdAt: ['createdat'] },
  losses: { clicks: ['clicks'] },
  exclusions: { disabled: ['isdisabled'] },
};
