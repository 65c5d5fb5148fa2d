import { inPortions, keyOf, type Row } from './rows.ts';
import type { Table } from './schema.ts';
import type { Progress, Source, Target } from './sides.ts';

/** Told of rows that are done, of all there are in a table. */
export type Report = (table: Table, done: number, all: number) => void;

/**
 * Copies every row, from where an earlier attempt was cut short.
 *
 * @returns how many texts held what the target cannot hold
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
  for await (const portion of inPortions(source.rows(table, after))) {
    const rows = portion.map((row) => target.storable(table, row));
    replaced += rows.filter((row, at) => row !== portion[at]).length;
    await target.append(table, rows, progressAfter(table, rows));
    done += rows.length;
    report(table, done, all);
  }
  // So that an empty table is not begun again either.
  if (done === 0) await target.append(table, [], { table: table.name, after: null });
  return replaced;
}

function progressAfter(table: Table, rows: Row[]): Progress {
  return { table: table.name, after: keyOf(table, rows.at(-1) as Row) };
}
