import type { Import } from '../../store/import-store.ts';

export type ImportState = 'done' | 'running' | 'stopped';

/** A running import that has not progressed for this long died with its process, in milliseconds. */
const SILENCE = 20_000;

export function importState({ finishedAt, updatedAt, runner }: Import, now: number): ImportState {
  if (finishedAt !== null) return 'done';
  return runner !== null && now - updatedAt < SILENCE ? 'running' : 'stopped';
}
