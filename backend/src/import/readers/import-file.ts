/** The most links one file may have. */
export const MAX_ROWS = 200_000;

/** The longest row taken, in characters: far more than a link needs. A row is held in memory as a whole. */
export const MAX_ROW_LENGTH = 256 * 1024;

/** How much is read at a time, in bytes: so little that redirects hardly wait for it. */
export const SLICE_BYTES = 16 * 1024;

/** A file that was uploaded. */
export interface ImportFile {
  /** In bytes. */
  size: number;
  /** The bytes from one position up to another, or up to the end of the file. */
  read(from: number, to: number): Promise<Buffer>;
}

/** The file cannot be imported; the message is a sentence for the person who chose it. */
export class FileProblem extends Error {
  override name = 'FileProblem';
}

/** @param after what was read before it, such as "line 12" */
export function rowTooLong(after: string): FileProblem {
  return new FileProblem(`This file has a row that is too long, after ${after}.`);
}

/** One value of a record: a cell of a table, or what JSON has; objects within are taken apart. */
export type Value = string | number | boolean | null | readonly unknown[];

/** The values of a record, by the names that `fieldName` makes. */
export type Fields = ReadonlyMap<string, Value>;

/** What a file says about one link, or why that cannot be read. */
export type FileRecord = { at: number; fields: Fields } | { at: number; problem: string; subject: string };

/** A name as files write it, made comparable: "Long URL", `long_url` and `longUrl` are one. */
export function normalizeFieldName(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** How deep objects are taken apart; what lies deeper says nothing that is asked for. */
const MAX_DEPTH = 3;

/** Takes an object apart: `{meta: {validUntil: 1}}` has the field `meta.validuntil`. Null where it is no object. */
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
