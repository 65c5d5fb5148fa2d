import type { Migration } from '../../../src/store/migrations/all-migrations.ts';
import { EXPAND } from '../later-steps.ts';

/** Adds a column to each link and fills it, which takes long enough to be interrupted. */
const FILL: Migration = {
  ...EXPAND,
  statements: `${EXPAND.statements}; UPDATE links SET later = length(url) + id`,
};

export const STEPS = [FILL];
