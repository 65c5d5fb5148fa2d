// Stands in for `zod/mini` in the extension's build (vite.config.ts), at a tenth of its weight: what the contract uses of it,
// with the same answers, and without the reasons (an answer that is none is "not understood" to the extension, whatever
// is wrong with it). What is missing here fails the build. The contract's own tests run over both, and
// `test/lean.test.ts` holds them against each other.

type Read = (value: unknown) => unknown;
type Check = ((value: never) => boolean) | Schema;
type Parsed = { success: true; data: unknown } | { success: false };
type Shape = Record<string, Schema>;

/** Read by a schema that the value does not fit. */
const MISFIT = Symbol('misfit');

class Schema {
  /** The value as the schema makes it, or MISFIT. */
  readonly read: Read;
  /** Whether an object may do without it. */
  readonly mayLack: boolean;

  constructor(read: Read, mayLack = false) {
    this.read = read;
    this.mayLack = mayLack;
  }

  check(...checks: Check[]): Schema {
    return new Schema((value) => {
      const read = this.read(value);
      return read !== MISFIT && checks.every((check) => holds(check, read)) ? read : MISFIT;
    }, this.mayLack);
  }

  safeParse(value: unknown): Parsed {
    const data = this.read(value);
    return data === MISFIT ? { success: false } : { success: true, data };
  }

  parse(value: unknown): unknown {
    const data = this.read(value);
    if (data === MISFIT) throw new TypeError('It does not fit.');
    return data;
  }
}

function holds(check: Check, value: unknown): boolean {
  return check instanceof Schema ? check.read(value) !== MISFIT : check(value as never);
}

const only = (fits: (value: unknown) => boolean) => new Schema((value) => (fits(value) ? value : MISFIT));
const text = (fits: (value: string) => boolean) => only((value) => typeof value === 'string' && fits(value));

export const unknown = () => new Schema((value) => value);
export const string = () => text(() => true);
export const boolean = () => only((value) => typeof value === 'boolean');
export const int = () => only(Number.isSafeInteger);
export const literal = (wanted: unknown) => only((value) => value === wanted);
export const stringFormat = (_name: string, fits: (value: string) => boolean) => text(fits);
export const optional = (of: Schema) => new Schema((value) => (value === undefined ? value : of.read(value)), true);
export const nullable = (of: Schema) => new Schema((value) => (value === null ? value : of.read(value)), of.mayLack);
export const nullish = (of: Schema) => optional(nullable(of));
export const coerce = { number: () => new Schema(asNumber) };
export { anyOf as enum, withDefault as _default, withFallback as catch };

function anyOf(values: unknown[]): Schema {
  return only((value) => values.includes(value));
}

function withDefault(of: Schema, standard: unknown): Schema {
  return new Schema((value) => (value === undefined ? standard : of.read(value)), true);
}

function withFallback(of: Schema, fallback: unknown): Schema {
  return new Schema((value) => {
    const read = of.read(value);
    return read === MISFIT ? fallback : read;
  }, true);
}

function asNumber(value: unknown): unknown {
  try {
    const number = Number(value);
    return Number.isFinite(number) ? number : MISFIT;
  } catch {
    // A symbol, or an object that cannot be made a text.
    return MISFIT;
  }
}

export function array(of: Schema): Schema {
  return new Schema((value) => {
    const read = Array.isArray(value) ? value.map(of.read) : [MISFIT];
    return read.includes(MISFIT) ? MISFIT : read;
  });
}

/** The first that fits. */
export function union(options: Schema[]): Schema {
  return new Schema((value) => {
    for (const { read } of options) if (read(value) !== MISFIT) return read(value);
    return MISFIT;
  });
}

/** Keys that the shape does not name are left out. */
export function object(shape: Shape): Schema {
  return new Schema((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return MISFIT;
    const result: Record<string, unknown> = {};
    for (const [key, field] of Object.entries(shape)) {
      const isThere = key in value;
      const read = field.read((value as Record<string, unknown>)[key]);
      if (read === MISFIT || !(isThere || field.mayLack)) return MISFIT;
      if (isThere || read !== undefined) result[key] = read;
    }
    return result;
  });
}

/** Of an http or https URL, with the line breaks taken out that a browser takes out too. The contract asks for no other. */
export function url(): Schema {
  return new Schema((value) => {
    if (typeof value !== 'string') return MISFIT;
    const trimmed = value.trim();
    const isUrl = /^https?:\/\//i.test(trimmed) && URL.canParse(trimmed);
    return isUrl ? trimmed.replace(/[\t\n\r]/g, '') : MISFIT;
  });
}

/** ISO 8601 as JSON Schema's `date` and `date-time` have it; `offset` allows other zones than Z. */
export const iso = {
  date: () => text((value) => DATE.test(value) && isDay(value)),
  datetime: ({ offset = false } = {}) =>
    text((value) => isDay(value) && (offset ? DATE_TIME_OFFSET : DATE_TIME).test(value)),
};
const DATE = /^\d{4}-\d\d-\d\d$/;
const DATE_TIME = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;
const DATE_TIME_OFFSET =
  /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Whether the calendar has the day that the text begins with. */
function isDay(value: string): boolean {
  const day = value.slice(0, 10);
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

type Sized = string | unknown[];
/** In code points. */
const sizeOf = (value: Sized) => [...value].length;

export const minLength = (least: number) => (value: Sized) => sizeOf(value) >= least;
export const maxLength = (most: number) => (value: Sized) => sizeOf(value) <= most;
export const gte = (least: number) => (value: number) => value >= least;
export const lte = (most: number) => (value: number) => value <= most;
export const nonnegative = () => gte(0);
export const regex = (pattern: RegExp) => (value: string) => pattern.test(value);
export const refine = (fits: (value: never) => boolean) => fits;
