/** Maximum number of links in one file. */
export const MAX_ROWS = 200_000;

/** Maximum length of a row, in characters. Rows are read into memory, and links are much shorter. */
export const MAX_ROW_LENGTH = 256 * 1024;

/** Number of bytes read at a time. It is small, so that redirects hardly wait. */
export const SLICE_BYTES = 16 * 1024;

/** Uploaded file. */
export interface ImportFile {
  /** Number of bytes. */
  size: number;
  /** Returns the bytes from `from` up to, but not including, `to` or the end of the file. */
  read(from: number, to: number): Promise<Buffer>;
}

/** Thrown if a file cannot be imported. The message is shown to the user. */
export class FileProblem extends Error {
  override name = 'FileProblem';
}

/** @param after position of the last complete row, such as "line 12" */
export function rowTooLong(after: string): FileProblem {
  return new FileProblem(`This file has a row that is too long, after ${after}. Remove it, or export the file again.`);
}

/** Value of a record: a table cell or a JSON value. Nested objects are flattened. */
export type Value = string | number | boolean | null | readonly unknown[];

/** Values of a record by their normalized field names. */
export type Fields = ReadonlyMap<string, Value>;

/** Record of a file with its position, or the problem of a record that cannot be read. */
export type FileRecord = { at: number; fields: Fields } | { at: number; problem: string; subject: string };

/** Normalizes a field name, so that "Long URL", `long_url` and `longUrl` are equal. */
export function normalizeFieldName(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Depth to which objects are flattened. No field that is used is nested deeper. */
const MAX_DEPTH = 3;

/** Flattens an object: `{meta: {validUntil: 1}}` has the field `meta.validuntil`. Returns null if it is not an object. */
export function toFields(value: unknown, depth = MAX_DEPTH): Fields | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const fields = new Map<string, Value>();
  if (depth === 0) return fields;
  for (const [name, member] of Object.entries(value)) {
    const inner = toFields(member, depth - 1);
    if (!inner) fields.set(normalizeFieldName(name), member as Value);
    else for (const [innerName, one] of inner) fields.set(`${normalizeFieldName(name)}.${innerName}`, one);
  }
  return fields;
}
