import { setImmediate as turn } from 'node:timers/promises';
import type { Import, ImportRow } from '../../store/import-store.ts';
import type { Services } from '../env.ts';
import type { Column } from './columns.ts';
import { readRows } from './file.ts';
import { judgeRow } from './row.ts';

/** Rows carried out in one transaction: few enough that redirects hardly wait. */
const GROUP = 200;

/** A running import that was not heard of for this long has died with its process, in milliseconds. */
export const SILENCE = 20_000;

const TAKEN = 'This short code is taken, by a link of yours to another address or by somebody else.';

type ImportServices = Pick<Services, 'store' | 'clock' | 'random' | 'targets' | 'isStopping'>;

/**
 * Takes in a file that was surveyed, group by group, from the first row that was not handled before. A row is carried
 * out whole or noted with what is wrong; a stop, or a death, falls between two groups, and whoever goes on begins there.
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

/** Returns whether it came to the end of the file. */
async function handleRows(
  services: ImportServices,
  run: Import,
  file: Blob,
  columns: Map<Column, number>,
): Promise<boolean> {
  const { store, clock, isStopping } = services;
  const header = 1;
  let toSkip = header + handled(run);
  let group: ImportRow[] = [];
  for await (const { line, cells } of readRows(file)) {
    if (isStopping()) return false;
    toSkip -= 1;
    if (toSkip >= 0) continue;
    group.push(judgeRow(cells, columns, line, services, clock()));
    if (group.length < GROUP) continue;
    if (!(await store.imports.apply(run, group, TAKEN, clock()))) return false;
    group = [];
    await turn();
  }
  return !isStopping() && store.imports.apply(run, group, TAKEN, clock());
}

/** How many rows of an import have become links, or were noted with their problem. */
export function handled({ made, unchanged, refused }: Pick<Import, 'made' | 'unchanged' | 'refused'>): number {
  return made + unchanged + refused;
}
