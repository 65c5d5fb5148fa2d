import type { Format } from './format.ts';

/** Its exports as CSV and JSON. */
export const lynx: Format = {
  name: 'Lynx',
  signs: [['slug', 'destination']],
  fields: { code: ['slug'], url: ['destination'], createdAt: ['creationdate'] },
  losses: { clicks: ['visits'] },
};
