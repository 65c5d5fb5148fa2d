import { getManyValues, none } from 'stream-chain/defs.js';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import {
  type Fields,
  FileProblem,
  type FileRecord,
  MAX_ROW_LENGTH,
  MAX_UNREAD_LENGTH,
  noEndOfRow,
  ROW_TOO_LONG,
  toFields,
} from './import-file.ts';

/**
 * Called for each API response. `page` contains all fields of the response except the links, for example the total
 * number of links.
 */
export type OnPage = (page: Fields) => void;

/**
 * Reads the links of a JSON file one by one. The file can contain a list, API responses, or several consecutive
 * objects.
 *
 * @throws FileProblem if the file is not valid JSON, ends too early, or the end of an entry is not found
 */
export async function* readJson(text: AsyncIterable<string>, onPage: OnPage): AsyncGenerator<FileRecord> {
  const parse = jsonParser({ packValues: true, streamValues: false, jsonStreaming: true });
  /** Entries that were read but not yielded. An entry that is too long is null. */
  let entries: ({ value: unknown } | null)[] = [];
  const finder = createEntryFinder((entry) => entries.push(entry), onPage);
  let count = 0;
  let line = 1;

  function read(part: string | typeof none): void {
    const tokens = parse(part as string);
    if (tokens !== none) for (const token of getManyValues(tokens)) finder.add(token);
  }

  for await (const slice of text) {
    // Passes the text to the parser in small parts, so that error messages can report the position of a mistake.
    for (const part of slice.split(/(?<=[\n}])/)) {
      try {
        read(part);
      } catch {
        throw new FileProblem(
          `This file is not valid JSON: see line ${line}, after entry ${count + entries.length}. Correct it there, or export it again.`,
        );
      }
      if (finder.addLength(part.length) > MAX_UNREAD_LENGTH) throw noEndOfRow(`entry ${count + 1}`);
      if (part.endsWith('\n')) line += 1;
    }
    const found = entries;
    entries = [];
    for (const entry of found) {
      count += 1;
      yield entryToRecord(entry, count);
    }
  }
  try {
    read(none);
  } catch {
    throw new FileProblem(`This file ends too early, after entry ${count}: it was cut off.`);
  }
}

function entryToRecord(entry: { value: unknown } | null, at: number): FileRecord {
  if (!entry) return { at, problem: ROW_TOO_LONG, subject: '' };
  const fields = toFields(entry.value);
  return fields ? { at, fields } : { at, problem: 'This entry is not a link.', subject: JSON.stringify(entry.value) };
}

/** Names of the fields that contain the links in API responses of other services. */
const CONTAINER_NAMES = new Set(['data', 'links', 'result', 'shortUrls', 'urls']);

/** Maximum nesting depth of values. Values at a greater depth are dropped, because no supported format needs them. */
const MAX_DEPTH = 20;

/** Object or list that the parser has not completely read yet. */
interface Frame {
  /**
   * Role of the object or list:
   * - `entries`: a list of links
   * - `entry`: a link
   * - `page`: an API response that contains a list of links
   * - `part`: any other value
   *
   * An `entry` becomes a `page` if its first nested value is a list of links.
   */
  role: 'entries' | 'page' | 'entry' | 'part';
  value: unknown[] | Record<string, unknown>;
  name: string;
  /** True if the object or list contains the links of an API response. */
  isContainer: boolean;
  hasNested: boolean;
}

/**
 * Builds values from JSON tokens. Calls `onEntry` with each complete link, or null if the link is too long, and
 * `onPage` with each complete API response.
 */
function createEntryFinder(onEntry: (entry: { value: unknown } | null) => void, onPage: OnPage) {
  const frames: Frame[] = [];
  /** Number of open objects and lists that are too deep to be read. */
  let tooDeep = 0;
  /** Number of characters since the start of the current entry, or since the end of the last one. */
  let length = 0;

  function open(value: Frame['value']): void {
    const parent = frames.at(-1);
    if (frames.length > MAX_DEPTH) {
      tooDeep += 1;
      return;
    }
    const role = roleIn(parent, Array.isArray(value));
    if (role === 'entry') length = 0;
    const isContainer = parent?.role === 'page' && role !== 'part';
    if (parent) parent.hasNested = true;
    frames.push({ role, value, name: '', isContainer, hasNested: false });
  }

  function close(): void {
    if (tooDeep > 0) {
      tooDeep -= 1;
      return;
    }
    const { role, value, isContainer } = frames.pop() as Frame;
    const isEmptyContainer = isContainer && Object.keys(value).length === 0;
    if (role === 'entry' && !isEmptyContainer) addEntry(value);
    else if (role === 'page' && !frames.some((frame) => frame.role === 'page')) onPage(toFields(value) as Fields);
    else if (role !== 'entry' && role !== 'entries') attach(value);
  }

  function addEntry(value: unknown): void {
    onEntry(length > MAX_ROW_LENGTH ? null : { value });
    length = 0;
  }

  function attach(value: unknown): void {
    const parent = frames.at(-1);
    if (!parent || parent.role === 'entries') addEntry(value);
    // Values of an entry that is too long are dropped, so that they need no memory.
    else if (tooDeep > 0 || length > MAX_ROW_LENGTH) return;
    else if (Array.isArray(parent.value)) parent.value.push(value);
    else parent.value[parent.name] = value;
  }

  return {
    add(token: Token): void {
      if (token.name === 'startObject') open(Object.create(null));
      else if (token.name === 'startArray') open([]);
      else if (token.name === 'endObject' || token.name === 'endArray') close();
      else if (token.name === 'keyValue') (frames.at(-1) as Frame).name = token.value;
      else if (token.name === 'numberValue') attach(Number(token.value));
      else if ('value' in token) attach(token.value);
    },
    /** Adds characters to the length of the current entry, and returns this length. */
    addLength(characters: number): number {
      length += characters;
      return length;
    },
  };
}

/**
 * Returns the role of a new object or list in `parent`. The new value can reveal that `parent` is not a link, but an
 * API response or a list of links. In this case, the role of `parent` is corrected.
 */
function roleIn(parent: Frame | undefined, isList: boolean): Frame['role'] {
  if (!parent) return isList ? 'entries' : 'entry';
  if (parent.role === 'entries') return 'entry';
  if (parent.role === 'part' || Array.isArray(parent.value)) return 'part';
  if (CONTAINER_NAMES.has(parent.name) && (parent.role === 'page' || !parent.hasNested)) {
    parent.role = 'page';
    return isList ? 'entries' : 'entry';
  }
  const isFirst = Object.keys(parent.value).length === 0;
  if (parent.role === 'entry' && parent.isContainer && isFirst && !isList) {
    // YOURLS returns links as an object instead of a list: {"links": {"link_1": {…}, "link_2": {…}}}.
    parent.role = 'entries';
    return 'entry';
  }
  return 'part';
}

/** Names of the fields that contain the total number of links in API responses of other services. */
const TOTAL_FIELDS = ['total', 'pagination.totalitems', 'shorturls.pagination.totalitems', 'stats.totallinks'];

const NEXT_PAGE_FIELDS = ['nextpagetoken', 'pagination.next', 'nextcursor'];

/**
 * Detects whether links are missing from a file. Compares the number of links with the total in the file's API
 * responses, and checks for a next page.
 */
export function createPageCounts() {
  let total = 0;
  let hasNext = false;
  return {
    add(page: Fields): void {
      for (const name of TOTAL_FIELDS) total = Math.max(total, Number(page.get(name)) || 0);
      hasNext = NEXT_PAGE_FIELDS.some((name) => Boolean(page.get(name))) || page.get('listcomplete') === false;
    },
    /**
     * True if the file does not contain all links.
     *
     * @param found number of links in the file
     */
    isPart: (found: number) => hasNext || found < total,
  };
}
