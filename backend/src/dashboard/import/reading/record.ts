/** One value of a record: a cell of a table, or what JSON has; objects within are taken apart. */
export type Value = string | number | boolean | null | readonly unknown[];

/** The values of a record, by the names that `fieldName` makes. */
export type Fields = ReadonlyMap<string, Value>;

/** What a file says about one link, or why that cannot be read. */
export type FileRecord = { at: number; fields: Fields } | { at: number; problem: string; subject: string };

/** A name as files write it, made comparable: "Long URL", `long_url` and `longUrl` are one. */
export function fieldName(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** How deep objects are taken apart; what lies deeper says nothing that is asked for. */
const MOST_DEPTH = 3;

/** Takes an object apart: `{meta: {validUntil: 1}}` has the field `meta.validuntil`. Null where it is no object. */
export function fieldsOf(value: unknown, depth = MOST_DEPTH): Fields | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const fields = new Map<string, Value>();
  if (depth === 0) return fields;
  for (const [name, member] of Object.entries(value)) {
    const inner = fieldsOf(member, depth - 1);
    if (!inner) fields.set(fieldName(name), member as Value);
    else for (const [innerName, one] of inner) fields.set(`${fieldName(name)}.${innerName}`, one);
  }
  return fields;
}
