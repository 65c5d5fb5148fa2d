import { StoreError } from '../store/store-errors.ts';
import type { Copy, Progress, Readable, Source, Target } from './source-and-target.ts';
import { CHUNK, inChunks, isSame, keyOf, nameOfRow, type Row, type Table, type Value } from './tables-and-rows.ts';

/** Called with the number of rows copied or compared so far, and the total number of rows in the table. */
export type Report = (table: Table, done: number, all: number) => void;

/**
 * Copies all rows to the new database. After an interruption, copying continues after the last copied row.
 *
 * @returns number of rows that were changed because the new database cannot store some characters
 */
export async function copyRows(
  source: Source,
  target: Target,
  tables: readonly Table[],
  report: Report,
): Promise<number> {
  const progress = await target.progress();
  const first = tables.findIndex(({ name }) => name === progress?.table);
  let replaced = 0;
  for (const table of tables.slice(Math.max(first, 0))) {
    const after = table.name === progress?.table ? progress.after : null;
    replaced += await copyTable(source, target, table, after, report);
  }
  return replaced;
}

async function copyTable(
  source: Source,
  target: Target,
  table: Table,
  after: Row | null,
  report: Report,
): Promise<number> {
  const all = await source.count(table);
  let done = after === null ? 0 : await target.count(table);
  let replaced = 0;
  for await (const portion of inChunks(source.rows(table, after))) {
    const rows = portion.map((row) => target.storable(table, row));
    replaced += rows.filter((row, at) => row !== portion[at]).length;
    await target.append(table, rows, progressAfter(table, rows));
    done += rows.length;
    report(table, done, all);
  }
  // Stores the progress even for an empty table, so that a resumed move can skip the table.
  if (done === 0) await target.append(table, [], { table: table.name, after: null });
  return replaced;
}

function progressAfter(table: Table, rows: Row[]): Progress {
  return { table: table.name, after: keyOf(table, rows.at(-1) as Row) };
}

/**
 * Reads all rows of both databases again and compares each value.
 *
 * @returns number of rows
 * @throws StoreError with the primary key of the first row that differs
 */
export async function compareRows(
  source: Readable,
  target: Copy,
  tables: readonly Table[],
  report: Report,
): Promise<number> {
  let rows = 0;
  for (const table of tables) rows += await compareTable(source, target, table, report);
  return rows;
}

async function compareTable(source: Readable, target: Copy, table: Table, report: Report): Promise<number> {
  const all = await source.count(table);
  const moved = target.rows(table, null);
  let done = 0;
  try {
    for await (const row of source.rows(table, null)) {
      const expected = target.storable(table, row);
      const { value: found } = await moved.next();
      const difference = differenceOf(table, expected, found);
      if (difference) throw differs(table, difference);
      done += 1;
      if (done % CHUNK.rows === 0 || done === all) report(table, done, all);
    }
    const { value: more } = await moved.next();
    if (more) throw differs(table, `${nameOfRow(table, more)} exists only in the new database`);
  } finally {
    await moved.return(undefined);
  }
  return done;
}

/** Describes the difference between a row and its copy without showing values. Returns null if both rows are equal. */
function differenceOf(table: Table, expected: Row, found: Row | undefined): string | null {
  const name = nameOfRow(table, expected);
  if (!found || table.key.some((at) => !isSame(expected[at] as Value, found[at] as Value))) {
    return `${name} is missing or out of order in the new database`;
  }
  const columns = table.columns.filter((_, at) => !isSame(expected[at] as Value, found[at] as Value));
  return columns.length === 0 ? null : `${name} has a different ${columns.map((column) => column.name).join(', ')}`;
}

function differs({ name }: Table, difference: string): StoreError {
  return new StoreError(
    `The databases differ in the table ${name}: the row ${difference}. The old database was changed during the move, or one of the databases is damaged. Empty the new database and run "move" again.`,
  );
}
