import sql, { raw } from 'sql-template-tag';
import { StoreError } from '../store/store-errors.ts';
import {
  CHUNK,
  inChunks,
  isSame,
  type MoveDatabase,
  nameOfRow,
  type Row,
  type Table,
  type Value,
} from './tables-and-rows.ts';

/** Called with the number of rows copied or compared so far, and the total number of rows in the table. */
export type Report = (table: Table, done: number, all: number) => void;

/**
 * Copies all rows of a table, and the last id that the table has used.
 *
 * @returns number of rows that were changed because the new database cannot store some characters
 */
export async function copyTable(
  source: MoveDatabase,
  target: MoveDatabase,
  table: Table,
  report: Report,
): Promise<number> {
  const all = await countRows(source, table);
  let done = 0;
  let replaced = 0;
  for await (const chunk of inChunks(source.rows(table))) {
    const rows = chunk.map((row) => target.storable(table, row));
    replaced += rows.filter((row, at) => row !== chunk[at]).length;
    await target.insert(table, rows);
    done += rows.length;
    report(table, done, all);
  }
  if (table.isNumbered) await target.setLastNumber(table, await source.lastNumber(table));
  return replaced;
}

/**
 * Reads all rows of a table from both databases and compares each value.
 *
 * @returns number of rows
 * @throws StoreError with the primary key of the first row that differs
 */
export async function compareTable(
  source: MoveDatabase,
  target: MoveDatabase,
  table: Table,
  report: Report,
): Promise<number> {
  const all = await countRows(source, table);
  const copied = target.rows(table);
  let done = 0;
  for await (const row of source.rows(table)) {
    const { value: found } = await copied.next();
    const difference = differenceOf(table, target.storable(table, row), found);
    if (difference) throw differs(table, difference);
    done += 1;
    if (done % CHUNK.rows === 0 || done === all) report(table, done, all);
  }
  const { value: more } = await copied.next();
  if (more) throw differs(table, `${nameOfRow(table, more)} exists only in the new database`);
  return done;
}

async function countRows({ run }: MoveDatabase, { name }: Table): Promise<number> {
  return (await run<{ rows: number }>(sql`SELECT count(*) AS rows FROM ${raw(name)}`))[0]?.rows ?? 0;
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
    `The databases differ in the table ${name}: the row ${difference}. One of the databases may be damaged. Run "move" again to copy all rows again.`,
  );
}
