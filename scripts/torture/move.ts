import { properties } from './properties.ts';
import type { RandomTest } from './random-test.ts';

/**
 * Returns a random test that moves a database from SQLite to PostgreSQL and back, and repeatedly kills the process
 * that moves it.
 */
export function moves(options: { runs: number }): RandomTest {
  const only = ['backend/test/move/'];
  return { ...properties({ ...options, only }), name: 'move' };
}
