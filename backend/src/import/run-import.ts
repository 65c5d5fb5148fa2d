import type { Clock } from '../domain/clock-and-random.ts';
import type { Store } from '../store/open-store.ts';
import type { Import, TakenMessages } from '../store/sql/import-queries.ts';
import { type ImportFile, readLinks } from './open-file.ts';
import type { ImportRules } from './record-to-link.ts';

/**
 * Milliseconds without progress after which an import is considered stopped, because its process has probably died.
 */
const STALLED_AFTER = 20_000;

const CODE_TAKEN: TakenMessages = {
  own: 'You have another link with this short code. Change the code in the file, or edit that link’s URL.',
  deleted: 'This short code belonged to a deleted link and cannot be used again. Change the code in the file.',
  other: 'This short code is taken. Change the code in the file.',
};

interface ImportServices {
  store: Store;
  clock: Clock;
  /** Ends the import after the current batch. */
  stopping: AbortSignal;
  /** Maximum number of rows that the account can import per day, or null if there is no limit. */
  rowQuota: number | null;
}

export interface ImportRequest {
  file: ImportFile;
  rules: ImportRules;
}

/**
 * Imports a file in batches. Each row becomes a link. If a row is refused, the reason is stored instead.
 *
 * Each batch is one transaction. If the import is interrupted, the next run continues with the next batch.
 */
export async function runImport(services: ImportServices, run: Import, request: ImportRequest): Promise<void> {
  const { store, clock } = services;
  let isComplete = false;
  try {
    isComplete = await applyRows(services, run, request);
  } finally {
    await (isComplete ? store.imports.finish(run, clock()) : store.imports.leave(run));
  }
}

/** Returns true if all rows were applied. A used-up quota, another upload or a stopping process end the import early. */
async function applyRows(
  { store, clock, stopping, rowQuota }: ImportServices,
  run: Import,
  request: ImportRequest,
): Promise<boolean> {
  let toSkip = handledRows(run);
  for await (const batch of readLinks(request.file, request.rules, clock())) {
    if (stopping.aborted) return false;
    const rows = batch.slice(toSkip).map(({ at: line, source: _, ...result }) => ({ line, ...result }));
    toSkip = Math.max(0, toSkip - batch.length);
    if (rows.length === 0) continue;
    if ((await store.imports.apply(run, rows, CODE_TAKEN, clock(), rowQuota)) !== rows.length) return false;
  }
  return true;
}

/** Returns the number of rows that an import has handled so far: imported, unchanged and refused rows. */
export function handledRows({ made, unchanged, refused }: Pick<Import, 'made' | 'unchanged' | 'refused'>): number {
  return made + unchanged + refused;
}

export type ImportState = 'done' | 'running' | 'stopped';

export function importState({ finishedAt, updatedAt, runner }: Import, now: number): ImportState {
  if (finishedAt !== null) return 'done';
  return runner !== null && Math.abs(now - updatedAt) < STALLED_AFTER ? 'running' : 'stopped';
}
