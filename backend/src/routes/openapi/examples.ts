import type { Link } from '@terse/contract';

/** The link that the examples of the API's description tell of. */
export const LINK: Link = {
  shortCode: 'otters',
  shortUrl: 'https://t.example/otters',
  url: 'https://en.wikipedia.org/wiki/Otter',
  title: 'All about otters',
  createdAt: '2026-07-01T12:00:00.000Z',
  expiresAt: null,
  clicks: 0,
};

/** One whose code the service chose. */
export const GENERATED: Link = {
  ...LINK,
  shortCode: 'k7Rm2Wq',
  shortUrl: 'https://t.example/k7Rm2Wq',
  title: null,
  expiresAt: '2027-01-01T00:00:00.000Z',
};
