import type { Loop } from './loop.ts';
import { properties } from './properties.ts';

/** Moves of a database that are killed midway again and again, from SQLite to PostgreSQL and back. */
export function moves(options: { runs: number }): Loop {
  const only = ['backend/test/move/'];
  return { ...properties({ ...options, only }), name: 'move' };
}
