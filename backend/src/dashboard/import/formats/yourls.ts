import type { Format } from './format.ts';

const LOSSES = { clicks: ['clicks', 'hits', 'statistic.count'] } as const;
const NOTES = ['Links that a YOURLS plugin hides or protects by a password cannot be told from others in this file.'];

/** What its API answers (`stats`, and `shlink-list` of a plugin), and its table. */
export const yourls: Format = {
  name: 'YOURLS',
  signs: [
    ['keyword', 'url'],
    ['shorturl', 'url', 'timestamp', 'ip'],
  ],
  fields: { code: ['keyword'], shortUrl: ['shorturl'], url: ['url'], title: ['title'], createdAt: ['timestamp'] },
  losses: LOSSES,
  notes: NOTES,
};

/** The CSV of the plugin “YOURLS Import Export”: codes stand between slashes. */
export const yourlsPluginCsv: Format = {
  name: 'YOURLS (Import Export plugin)',
  signs: [['source', 'target']],
  fields: { code: ['source'], url: ['target'] },
  losses: LOSSES,
  notes: NOTES,
};

/** The same plugin's feed, whose dates are all wrong. */
export const yourlsPluginFeed: Format = {
  name: 'YOURLS (Import Export plugin)',
  signs: [['title', 'guid', 'contentencoded']],
  fields: { code: ['title'], url: ['contentencoded'] },
  notes: NOTES,
};

/** The same plugin's XML; its `access` is when the link was made. */
export const yourlsPluginXml: Format = {
  name: 'YOURLS (Import Export plugin)',
  signs: [['source', 'action']],
  fields: { code: ['source'], url: ['action'], title: ['title'], createdAt: ['statistic.access'] },
  losses: LOSSES,
  notes: NOTES,
};
