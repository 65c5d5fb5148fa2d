import type { Format } from './format.ts';

/** The pages of its API, and the CSV of a command line tool. */
export const rebrandly: Format = {
  name: 'Rebrandly',
  signs: [['slashtag', 'destination']],
  fields: {
    code: ['slashtag'],
    shortUrl: ['shorturl'],
    domain: ['domain.fullname', 'domain'],
    url: ['destination'],
    title: ['title'],
    createdAt: ['createdat'],
  },
  losses: { tags: ['tags'], clicks: ['clicks'], archived: ['archived'], query: ['forwardparameters'] },
};
