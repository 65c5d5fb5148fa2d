import type { Format } from './format.ts';

/** Its export, in which the columns are the person's choice. */
export const dub: Format = {
  name: 'Dub',
  signs: [['shortlink', 'destinationurl']],
  fields: { shortUrl: ['shortlink'], url: ['destinationurl'], createdAt: ['createdat'] },
  losses: {
    clicks: ['clicks'],
    sales: ['leads', 'conversions', 'revenue'],
    tags: ['tags'],
    archived: ['archived'],
  },
  notes: [
    'Dub’s export does not say which links have a password or expire. Take such links out of the file first: here, anybody could open them.',
    'Dub ignores the case of short codes on most domains. Here, a short URL works only in the case that the file has.',
  ],
};
