import type { Loop } from './loop.ts';
import { properties } from './properties.ts';

/**
 * Returns a loop that moves a database from SQLite to PostgreSQL and back, and repeatedly kills the moving process.
 */
export function moves(options: { runs: number }): Loop {
  const only = ['backend/test/move/'];
  return { ...properties({ ...options, only }), name: 'move' };
}
