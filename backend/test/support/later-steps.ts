import type { Migration } from '../../src/store/migrations/all-migrations.ts';

const preload = new URL('./preload.ts', import.meta.url).href;

/** Returns environment variables for a process of a later version, which has additional migrations. */
export function laterVersion(name: keyof typeof LATER_STEPS): Record<string, string> {
  return { NODE_OPTIONS: `--import=${preload}`, TEST_VERSION: name };
}

/** Adds a column and an index to the largest table, which the current version supports. */
export const EXPAND: Migration = {
  id: 1001,
  name: 'expand',
  oldest: 100,
  indexes: [{ name: 'links_by_url', on: 'links (url, id)' }],
  statements: 'ALTER TABLE links ADD COLUMN later INTEGER',
};

/** Also fills the column, which takes long enough to be interrupted. */
const FILL: Migration = {
  ...EXPAND,
  statements: `${EXPAND.statements}; UPDATE links SET later = length(url) + id`,
};

/** Removes the index, which the current version does not support. */
const CONTRACT: Migration = {
  id: 1002,
  name: 'contract',
  oldest: 1001,
  statements: 'DROP INDEX links_by_url',
};

/** Additional migrations of each later version. */
export const LATER_STEPS = { expanding: [EXPAND], filling: [FILL], contracting: [EXPAND, CONTRACT] };
