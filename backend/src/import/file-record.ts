/** Maximum number of characters in a row. Rows with real links are much shorter. Longer rows are not imported. */
export const MAX_ROW_LENGTH = 256 * 1024;

export const ROW_TOO_LONG = `This row is longer than ${MAX_ROW_LENGTH.toLocaleString('en')} characters.`;

/** Thrown if a file cannot be imported. The user sees the message. */
export class FileProblem extends Error {
  override name = 'FileProblem';
}

/**
 * Value of a field: the text of a table cell, or a JSON value. The members of a JSON object become separate fields.
 */
export type Value = string | number | boolean | null | readonly unknown[];

export type Fields = ReadonlyMap<string, Value>;

/** Record of a file with its position, or the reason why the record could not be read. */
export type FileRecord = { at: number; fields: Fields } | { at: number; problem: string; subject: string };

/** Returns the line of a position in a text, counted from 1. */
export function lineOf(text: string, position: number): number {
  let line = 1;
  for (let at = 0; at < position; at += 1) if (text.charCodeAt(at) === LINE_FEED) line += 1;
  return line;
}

const LINE_FEED = 0x0a;

/** Normalizes a field name. For example, "Long URL", `long_url` and `longUrl` become equal. */
export function normalizeFieldName(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Maximum nesting depth of objects whose fields are read. No supported format contains fields at a greater depth. */
const MAX_DEPTH = 3;

/**
 * Flattens an object with nested objects into a list of fields with lowercase names. For example, `{meta:
 * {validUntil: 1}}` becomes the field `meta.validuntil`. Returns null if the value is not an object.
 */
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
