import { getManyValues, none } from 'stream-chain/defs.js';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { type Fields, FileProblem, type FileRecord, MAX_ROW_LENGTH, rowTooLong, toFields } from './import-file.ts';

/** Receives the fields that a page has beside its entries. */
export type OnPage = (page: Fields) => void;

/**
 * Reads JSON entry by entry. Entries are the items of a list, the links in the pages of an API, or objects one after another.
 *
 * @throws FileProblem if the file is not valid JSON, ends too early, or has an entry that is too long
 */
export async function* readJson(text: AsyncIterable<string>, onPage: OnPage): AsyncGenerator<FileRecord> {
  const parse = jsonParser({ packValues: true, streamValues: false, jsonStreaming: true });
  let entries: unknown[] = [];
  const finder = createEntryFinder((entry) => entries.push(entry), onPage);
  let count = 0;
  let line = 1;
  /** Number of characters read since the last entry. */
  let unfinished = 0;

  function read(part: string | typeof none): void {
    const tokens = parse(part as string);
    if (tokens !== none) for (const token of getManyValues(tokens)) finder.add(token);
  }

  for await (const slice of text) {
    // The parser reads to the end of a line or object at a time, so that a mistake can be reported with its position.
    for (const part of slice.split(/(?<=[\n}])/)) {
      try {
        read(part);
      } catch {
        throw new FileProblem(
          `This file is not valid JSON: see line ${line}, after entry ${count + entries.length}. Correct it there, or export it again.`,
        );
      }
      if (part.endsWith('\n')) line += 1;
    }
    unfinished = entries.length > 0 ? 0 : unfinished + slice.length;
    if (unfinished > MAX_ROW_LENGTH) throw rowTooLong(`entry ${count}`);
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

function entryToRecord(entry: unknown, at: number): FileRecord {
  const fields = toFields(entry);
  return fields ? { at, fields } : { at, problem: 'This entry is not a link.', subject: JSON.stringify(entry) };
}

/** Names of the members that hold a page's links in the APIs of other services. */
const CONTAINER_NAMES = new Set(['data', 'links', 'result', 'shortUrls', 'urls']);

/** Depth below which values are dropped. No field that is asked for is nested this deep. */
const MAX_DEPTH = 20;

/** An object or list that is still open. */
interface Frame {
  /**
   * `entries` holds one link per item or member. An `entry` becomes a `page` if its first nested value is a container of links.
   * Everything within an entry or beside a page's links is a `part`.
   */
  role: 'entries' | 'page' | 'entry' | 'part';
  value: unknown[] | Record<string, unknown>;
  /** Name of the member that is being read. */
  name: string;
  /** True for the object that a page has as its container of links. */
  isContainer: boolean;
  hasNested: boolean;
}

/** Builds the values of JSON from its tokens, and reports each link and each page as soon as it is complete. */
function createEntryFinder(onEntry: (entry: unknown) => void, onPage: OnPage) {
  const frames: Frame[] = [];

  function open(value: Frame['value']): void {
    const parent = frames.at(-1);
    const role = roleIn(parent, Array.isArray(value));
    const isContainer = parent?.role === 'page' && role !== 'part';
    if (parent) parent.hasNested = true;
    frames.push({ role, value, name: '', isContainer, hasNested: false });
  }

  function close(): void {
    const { role, value, isContainer } = frames.pop() as Frame;
    const isEmptyContainer = isContainer && Object.keys(value).length === 0;
    if (role === 'entry' && !isEmptyContainer) onEntry(value);
    else if (role === 'page' && !frames.some((frame) => frame.role === 'page')) onPage(toFields(value) as Fields);
    else if (role !== 'entry' && role !== 'entries') attach(value);
  }

  function attach(value: unknown): void {
    const parent = frames.at(-1);
    if (!parent || parent.role === 'entries') onEntry(value);
    else if (frames.length > MAX_DEPTH) return;
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
  };
}

/** Returns the role of an object or list within `parent`, which may turn out to be a page or a container of links. */
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
    // YOURLS names its links: {"links": {"link_1": {…}, "link_2": {…}}}.
    parent.role = 'entries';
    return 'entry';
  }
  return 'part';
}

/** Fields in which the APIs of other services name the number of all links, or the next page. */
const TOTAL_FIELDS = ['total', 'pagination.totalitems', 'shorturls.pagination.totalitems', 'stats.totallinks'];

const NEXT_PAGE_FIELDS = ['nextpagetoken', 'pagination.next', 'nextcursor'];

/** Collects what pages say about themselves, to find out if some pages are missing. */
export function createPageCounts() {
  let total = 0;
  let hasNext = false;
  return {
    add(page: Fields): void {
      for (const name of TOTAL_FIELDS) total = Math.max(total, Number(page.get(name)) || 0);
      hasNext = NEXT_PAGE_FIELDS.some((name) => Boolean(page.get(name))) || page.get('listcomplete') === false;
    },
    /** True if links are missing after `found` links were read. */
    isPart: (found: number) => hasNext || found < total,
  };
}
