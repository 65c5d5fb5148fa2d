import type { Loop } from './loop.ts';
import { properties } from './properties.ts';

/** Repeatedly kills moves of a database from SQLite to PostgreSQL and back. */
export function moves(options: { runs: number }): Loop {
  const only = ['backend/test/move/'];
  return { ...properties({ ...options, only }), name: 'move' };
}
