import { MalformedCsv, readCsvParts } from '@terse/contract/csv-reader';

/** Maximum number of characters in a row. Rows with real links are much shorter. Longer rows are not imported. */
export const MAX_ROW_LENGTH = 256 * 1024;

// A function, because number formats need several megabytes of memory, and only imports and pages use them.
const rowTooLong = () => `This row is longer than ${MAX_ROW_LENGTH.toLocaleString('en')} characters.`;

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

const MAX_QUOTE_LENGTH = 120;

/** Returns a text of the file for a message. Replaces characters that PostgreSQL cannot store with U+FFFD. */
export function quote(text: string): string {
  return text.slice(0, MAX_QUOTE_LENGTH).toWellFormed().replaceAll('\0', '\ufffd');
}

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

/**
 * Reads a text record by record. A record is a table row, or an entry of a JSON file. Also yields null from time to time,
 * so that the caller can let other requests run even if a large part of the text has no records.
 */
export function readRecords(text: string, isTable: boolean): Generator<FileRecord | null> {
  return isTable ? readTable(text) : readJson(text);
}

/**
 * Turns table rows into records. The first row contains the field names. If a name occurs twice, the first column
 * with this name is used.
 *
 * The first record contains every field, even those without a cell in its row, so that the format can be detected.
 * Later records contain only the fields that have a cell.
 *
 * @throws FileProblem if the text is not valid CSV
 */
function* readTable(text: string): Generator<FileRecord | null> {
  let names: string[] | null = null;
  let isFirst = true;
  try {
    for (const rows of readCsvParts(text)) {
      for (const { line, cells } of rows) {
        if (!names) {
          names = cells.map(normalizeFieldName);
          continue;
        }
        if (cells.reduce((sum, cell) => sum + cell.length + 1, 0) > MAX_ROW_LENGTH) {
          yield { at: line, problem: rowTooLong(), subject: cells.find((cell) => cell !== '') ?? '' };
          continue;
        }
        const fields = new Map<string, string>();
        const count = isFirst ? names.length : Math.min(names.length, cells.length);
        for (let index = 0; index < count; index += 1) {
          const name = names[index] as string;
          if (!fields.has(name)) fields.set(name, cells[index] ?? '');
        }
        isFirst = false;
        yield { at: line, fields };
      }
      yield null;
    }
  } catch (error) {
    if (!(error instanceof MalformedCsv)) throw error;
    const where = error.lastLine === 0 ? 'its first line' : `what follows line ${error.lastLine}`;
    throw new FileProblem(`This file is not valid CSV: ${where} cannot be read. Correct the quotes there.`);
  }
}

/** Names of the fields that contain the links in API responses of other services. */
const CONTAINER_NAMES = new Set(['data', 'links', 'result', 'shortUrls', 'urls']);

/** Maximum nesting depth of these fields. */
const MAX_CONTAINERS = 3;

/** Maximum number of API responses in one text. */
const MAX_PAGES = 20_000;

/**
 * Reads the links of a JSON text one by one. The text can contain a list, API responses, or several consecutive
 * objects. Only one link at a time is parsed, so that a large file needs little memory.
 *
 * @throws FileProblem if the text is not valid JSON, or ends too early
 */
function* readJson(text: string): Generator<FileRecord> {
  let at = 0;
  let count = 0;
  let pages = 0;

  /** Skips white space, and returns the character that follows. */
  function next(): string {
    at = endOfMatch(/[ \t\r\n]*/y, text, at);
    return text.charAt(at);
  }

  /** Returns the end of the value at `from`, or of the object or list that is already open there. */
  function endOf(from: number, isOpen = false): number {
    const end = endOfValue(text, from, isOpen);
    if (end === null || from === text.length)
      throw new FileProblem(`This file ends too early, after entry ${count}: it was cut off.`);
    if (end === from) throw notJson(from);
    return end;
  }

  function parse(json: string, position: number): unknown {
    try {
      return JSON.parse(json);
    } catch {
      throw notJson(position);
    }
  }

  function notJson(position: number): FileProblem {
    return new FileProblem(
      `This file is not valid JSON: see line ${lineOf(text, position)}, after entry ${count}. Correct it there, or export it again.`,
    );
  }

  function readName(): void {
    at = endOf(at);
    if (next() !== ':') throw notJson(at);
    at += 1;
  }

  /** Reads a link, or the links of an API response. */
  function* readEntry(depth: number): Generator<FileRecord> {
    next();
    const start = at;
    const container = depth > 0 ? findContainer(text, start) : null;
    if (container === null) {
      at = endOf(start);
      const record = toRecord(text.slice(start, at), count + 1, (json) => parse(json, start));
      count += 1;
      yield record;
      return;
    }
    pages += 1;
    if (pages > MAX_PAGES) {
      const limit = MAX_PAGES.toLocaleString('en');
      throw new FileProblem(`This file has more than ${limit} responses of an API. Split it into smaller files.`);
    }
    at = container;
    if (text[at] === '[' || endOfMatch(NUMBERED_ENTRIES, text, at) > 0) yield* readEntries(depth - 1);
    else yield* readEntry(depth - 1);
    const rest = at;
    at = endOf(rest, true);
    const page = `${text.slice(start, container)}null${text.slice(rest, at)}`;
    if (page.length <= MAX_ROW_LENGTH) parse(page, start);
  }

  /** Reads the links of a list, or of an object whose members are links. */
  function* readEntries(depth: number): Generator<FileRecord> {
    const isList = text[at] === '[';
    const close = isList ? ']' : '}';
    at += 1;
    if (next() === close) {
      at += 1;
      return;
    }
    for (;;) {
      if (!isList) readName();
      yield* readEntry(depth);
      const sign = next();
      if (sign === '') endOf(at, true);
      if (sign !== close && sign !== ',') throw notJson(at);
      at += 1;
      if (sign === close) return;
    }
  }

  for (let sign = next(); sign !== ''; sign = next()) {
    yield* sign === '[' ? readEntries(MAX_CONTAINERS) : readEntry(MAX_CONTAINERS);
  }
}

/**
 * Matches the start of an object without members, or whose members are links. YOURLS returns links as such an object:
 * {"links": {"link_1": {…}, "link_2": {…}}}.
 */
const NUMBERED_ENTRIES = /\{\s*(?:\}|"[^"\\]*"\s*:\s*\{)/y;

function toRecord(json: string, at: number, parse: (json: string) => unknown): FileRecord {
  if (json.length > MAX_ROW_LENGTH) return { at, problem: rowTooLong(), subject: '' };
  const fields = toFields(parse(json));
  return fields ? { at, fields } : { at, problem: 'This entry is not a link.', subject: json };
}

/** Returns the start of the field that contains links, or null if the value at `start` is not an API response. */
function findContainer(text: string, start: number): number | null {
  if (text[start] !== '{') return null;
  let name = '';
  for (let at = start + 1; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '{' || sign === '[') return CONTAINER_NAMES.has(name) ? at : null;
    if (sign === '}' || sign === ']') return null;
    if (sign !== '"') continue;
    const end = endOfString(text, at);
    if (end === null) return null;
    name = text.slice(at + 1, end - 1);
    at = end - 1;
  }
  return null;
}

/** Returns the end of the value at `start`. Returns null if the text ends before. */
function endOfValue(text: string, start: number, isOpen: boolean): number | null {
  if (!isOpen && !/["{[]/.test(text.charAt(start))) return endOfMatch(/[^\s,\]}]*/y, text, start);
  let depth = isOpen ? 1 : 0;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') {
      const end = endOfString(text, at);
      if (end === null) return null;
      at = end - 1;
    } else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    else continue;
    if (depth === 0) return at + 1;
  }
  return null;
}

/** Returns the end of the string that starts at `start`, or null if it has no end. */
function endOfString(text: string, start: number): number | null {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  return null;
}

/** Returns the end of a match at a position, or 0 if there is none. */
function endOfMatch(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  pattern.test(text);
  return pattern.lastIndex;
}
