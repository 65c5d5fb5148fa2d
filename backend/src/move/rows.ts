import type { Table } from './schema.ts';

/** What a column of a row holds, whichever engine it is read from. */
export type Value = number | string | Uint8Array | null;

/** One row, in the order of its table's columns. */
export type Row = Value[];

/** Rows read or written at once: as many, or as soon as they hold about so many bytes. */
export const PORTION = { rows: 2000, bytes: 4 * 2 ** 20 } as const;

export function keyOf({ key }: Table, row: Row): Row {
  return key.map((at) => row[at] as Value);
}

/** Collects single rows into portions, so that no more than one is held in memory. */
export async function* inPortions(rows: AsyncIterable<Row> | Iterable<Row>): AsyncGenerator<Row[]> {
  let portion: Row[] = [];
  let bytes = 0;
  for await (const row of rows) {
    portion.push(row);
    bytes += sizeOf(row);
    if (portion.length < PORTION.rows && bytes < PORTION.bytes) continue;
    yield portion;
    portion = [];
    bytes = 0;
  }
  if (portion.length > 0) yield portion;
}

function sizeOf(row: Row): number {
  return row.reduce<number>((sum, value) => sum + (typeof value === 'number' ? 8 : (value?.length ?? 1)), 0);
}

export function isSame(one: Value, other: Value): boolean {
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other) === 0;
  return one === other;
}

/** A key as one text, to be kept and read again. */
export function writeKey(key: Row): string {
  return JSON.stringify(key.map((value) => (value instanceof Uint8Array ? { hex: hexOf(value) } : value)));
}

export function readKey(text: string): Row {
  const values = JSON.parse(text) as (number | string | null | { hex: string })[];
  return values.map((value) => (typeof value === 'object' && value !== null ? Buffer.from(value.hex, 'hex') : value));
}

/** A row's key for people, such as `key_id 3, endpoint "/api"`. */
export function nameOfRow(table: Table, row: Row): string {
  const parts = table.key.map((at) => {
    const value = row[at] as Value;
    return `${table.columns[at]?.name} ${value instanceof Uint8Array ? hexOf(value) : JSON.stringify(value)}`;
  });
  return parts.join(', ');
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
