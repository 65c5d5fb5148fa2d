import type { Migration } from '../../src/store/migrations/all-migrations.ts';

const preload = new URL('./other-version.ts', import.meta.url).href;

/** Returns environment variables for a process whose version has the additional migrations of a module. */
export function laterVersion(name: 'expanding' | 'contracting' | 'filling'): Record<string, string> {
  const from = new URL(`./versions/${name}.ts`, import.meta.url).href;
  return { NODE_OPTIONS: `--import=${preload}`, STEPS_FROM: from };
}

/**
 * Migrations of later versions. `EXPAND` adds a column and an index to the largest table, which the current version
 * supports. `CONTRACT` removes the index, which the current version does not support.
 */
export const EXPAND: Migration = {
  id: 1001,
  name: 'expand',
  oldest: 100,
  indexes: [{ name: 'links_by_url', on: 'links (url, id)' }],
  statements: 'ALTER TABLE links ADD COLUMN later INTEGER',
};
export const CONTRACT: Migration = {
  id: 1002,
  name: 'contract',
  oldest: 1001,
  statements: 'DROP INDEX links_by_url',
};
