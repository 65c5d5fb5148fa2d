import { setImmediate as turn } from 'node:timers/promises';
import type { ImportRow } from '../../store/import-store.ts';
import type { Services } from '../env.ts';
import type { Column } from './columns.ts';
import { readRows } from './file.ts';
import { judgeRow } from './row.ts';

/** Rows carried out in one transaction: few enough that redirects hardly wait. */
const GROUP = 200;

/** A running import that was not heard of for this long has died with its process, in milliseconds. */
export const SILENCE = 60_000;

const TAKEN = 'This short code is taken, by a link of yours to another address or by somebody else.';

export interface Surveyed {
  importId: number;
  file: Blob;
  columns: Map<Column, number>;
}

type ImportServices = Pick<Services, 'store' | 'clock' | 'random' | 'targets' | 'isStopping'>;

/**
 * Takes in a file that was surveyed, group by group. A row is carried out whole or noted with what is wrong; a stop, or
 * a death, between two groups leaves what was done so far, and the same file sent again goes on from there.
 */
export async function runImport(services: ImportServices, { importId, file, columns }: Surveyed): Promise<void> {
  const { store, clock, isStopping } = services;
  let group: ImportRow[] = [];
  let isHeader = true;
  const carryOut = async () => {
    await store.imports.apply(importId, group, TAKEN, clock());
    group = [];
    await turn();
  };
  for await (const { line, cells } of readRows(file)) {
    if (isStopping()) return;
    if (!isHeader) group.push(judgeRow(cells, columns, line, services, clock()));
    isHeader = false;
    if (group.length === GROUP) await carryOut();
  }
  if (isStopping()) return;
  if (group.length > 0) await carryOut();
  await store.imports.finish(importId, clock());
}
