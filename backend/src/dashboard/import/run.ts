import { setImmediate as tick } from 'node:timers/promises';
import type { Import, ImportRow } from '../../store/import-store.ts';
import { spendBudget } from '../account-budget.ts';
import type { Services } from '../services.ts';
import type { Column } from './columns.ts';
import { type ImportFile, readRows } from './file.ts';
import { validateRow } from './validate-row.ts';

/** Rows imported in one transaction: so few that redirects hardly wait for it. */
const BATCH = 200;

const TAKEN = 'This short code is taken: another link of yours has it, or somebody else.';

type ImportServices = Pick<Services, 'store' | 'clock' | 'random' | 'targets' | 'isStopping' | 'accountLimits'>;

/**
 * Imports a file that was surveyed, one batch of rows after another, starting with the first row that was not handled
 * before. Each row becomes a link or is recorded with its problem. A batch is one transaction, so a stop or a crash
 * falls between two batches, and the next run continues there.
 */
export async function runImport(
  services: ImportServices,
  run: Import,
  file: ImportFile,
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
  file: ImportFile,
  columns: Map<Column, number>,
): Promise<boolean> {
  const { clock, isStopping } = services;
  const header = 1;
  let toSkip = header + handled(run);
  let batch: ImportRow[] = [];
  for await (const { line, cells } of readRows(file)) {
    if (isStopping()) return false;
    toSkip -= 1;
    if (toSkip >= 0) continue;
    batch.push(validateRow(cells, columns, line, services, clock()));
    if (batch.length < BATCH) continue;
    if (!(await handleBatch(services, run, batch))) return false;
    batch = [];
    await tick();
  }
  return !isStopping() && handleBatch(services, run, batch);
}

/** Imports as many of some rows as the account may today. Returns whether that was all of them. */
async function handleBatch(services: ImportServices, run: Import, batch: ImportRow[]): Promise<boolean> {
  const { store, clock } = services;
  const spent = await spendBudget(services, run.accountId, 'rows', batch.length);
  const granted = spent ? spent.granted : batch.length;
  const isOurs = await store.imports.apply(run, batch.slice(0, granted), TAKEN, clock());
  return isOurs && granted === batch.length;
}

/** How many rows of an import are done: they became a link, were one already, or were recorded with a problem. */
export function handled({ made, unchanged, refused }: Pick<Import, 'made' | 'unchanged' | 'refused'>): number {
  return made + unchanged + refused;
}
