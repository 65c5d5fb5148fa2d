/** How files write that there is nothing in a field, in lower case. */
const NOTHING = new Set(['', '0', 'null', '\\n', 'never', '0000-00-00 00:00:00']);

/** A number below this counts seconds since 1970, one above it milliseconds: they meet in 1973 and in the year 5138. */
const LEAST_MILLISECONDS = 100_000_000_000;

/**
 * Reads ISO 8601, what databases write (a space for the T, a zone of two digits or four, or none, which means UTC), and the time
 * since 1970. Milliseconds since the epoch, null for nothing, `invalid` for anything else.
 */
export function readInstant(text: string): number | 'invalid' | null {
  if (NOTHING.has(text.toLowerCase())) return null;
  if (/^\d{6,15}(\.\d+)?$/.test(text)) {
    const number = Number(text);
    return Math.trunc(number < LEAST_MILLISECONDS ? number * 1000 : number);
  }
  const [, date, time, zone = ''] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?\s*(Z|UTC|[+-]\d{2}(?::?\d{2})?)?$/i.exec(text) ??
    [];
  if (!date) return 'invalid';
  const instant = Date.parse(`${date}T${time ?? '00:00'}${fullZone(zone.toUpperCase())}`);
  return Number.isNaN(instant) ? 'invalid' : instant;
}

/** The zone as ISO 8601 has it: `+01:00` for `+01` and `+0100`. */
function fullZone(zone: string): string {
  const [, hours, minutes = '00'] = /^([+-]\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  return hours ? `${hours}:${minutes}` : 'Z';
}
