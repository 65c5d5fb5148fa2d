import { setImmediate as tick } from 'node:timers/promises';
import type { Import, ImportRow } from '../../store/import-store.ts';
import type { Services } from '../services.ts';
import type { Column } from './columns.ts';
import { readRows } from './file.ts';
import { validateRow } from './validate-row.ts';

/** Rows imported in one transaction: so few that redirects hardly wait for it. */
const BATCH = 200;

/** An import that has not progressed for this long died with its process, in milliseconds. */
export const SILENCE = 20_000;

const TAKEN = 'This short code is taken, by a link of yours to another address or by somebody else.';

type ImportServices = Pick<Services, 'store' | 'clock' | 'random' | 'targets' | 'isStopping'>;

/**
 * Imports a file that was surveyed, one batch of rows after another, starting with the first row that was not handled
 * before. Each row becomes a link or is recorded with its problem. A batch is one transaction, so a stop or a crash
 * falls between two batches, and the next run continues there.
 */
export async function runImport(
  services: ImportServices,
  run: Import,
  file: Blob,
  columns: Map<Column, number>,
): Promise<void> {
  const { store, clock } = services;
  let isWhole = false;
  try {
    isWhole = await handleRows(services, run, file, columns);
  } finally {
    await (isWhole ? store.imports.finish(run, clock()) : store.imports.leave(run));
  }
}

/** Returns whether the end of the file was reached. */
async function handleRows(
  services: ImportServices,
  run: Import,
  file: Blob,
  columns: Map<Column, number>,
): Promise<boolean> {
  const { store, clock, isStopping } = services;
  const header = 1;
  let toSkip = header + handled(run);
  let batch: ImportRow[] = [];
  for await (const { line, cells } of readRows(file)) {
    if (isStopping()) return false;
    toSkip -= 1;
    if (toSkip >= 0) continue;
    batch.push(validateRow(cells, columns, line, services, clock()));
    if (batch.length < BATCH) continue;
    if (!(await store.imports.apply(run, batch, TAKEN, clock()))) return false;
    batch = [];
    await tick();
  }
  return !isStopping() && store.imports.apply(run, batch, TAKEN, clock());
}

/** How many rows of an import are done: they became a link, were one already, or were recorded with a problem. */
export function handled({ made, unchanged, refused }: Pick<Import, 'made' | 'unchanged' | 'refused'>): number {
  return made + unchanged + refused;
}
