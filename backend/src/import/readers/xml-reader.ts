import sax from 'sax';
import {
  FileProblem,
  type FileRecord,
  MAX_ROW_LENGTH,
  normalizeFieldName,
  rowTooLong,
  type Value,
} from './import-file.ts';

/** What a bare ampersand is written as for the parser; nobody else writes it so. */
const ESCAPED_AMPERSAND = '&#x0000026;';

/** How deep elements may be in each other. */
const MAX_DEPTH = 100;

/**
 * Reads the items of an XML file, as feeds and the exports of WordPress have them: each child of an `<item>` is a field, its
 * attributes are fields below it. Read leniently: a plugin of YOURLS does not escape all it writes.
 *
 * @throws FileProblem where an item is too long, elements are in each other without end, or the file was cut off
 */
export async function* readXml(text: AsyncIterable<string>): AsyncGenerator<FileRecord> {
  const parser = sax.parser(false, { lowercase: true, trim: true });
  const path: string[] = [];
  let found: FileRecord[] = [];
  let item: Map<string, Value> | null = null;
  let at = 0;
  let size = 0;

  parser.onopentag = ({ name, attributes }) => {
    path.push(name);
    if (name === 'item') item = new Map();
    else if (path.at(-2) === 'item') {
      for (const [key, value] of Object.entries(attributes))
        item?.set(`${normalizeFieldName(name)}.${normalizeFieldName(key)}`, String(value));
    }
  };
  const addText = (part: string) => {
    const name = normalizeFieldName(path.at(-1) ?? '');
    if (path.at(-2) === 'item') item?.set(name, `${item.get(name) ?? ''}${part}`);
  };
  parser.ontext = addText;
  // Where no entity is one.
  parser.oncdata = (part) => addText(part.replaceAll(ESCAPED_AMPERSAND, '&'));
  parser.onclosetag = (name) => {
    path.pop();
    if (name !== 'item' || !item) return;
    at += 1;
    found.push({ at, fields: item });
    item = null;
    size = 0;
  };
  // What is wrong with one item costs no other: the parser goes on after it.
  parser.onerror = () => parser.resume();

  let rest = '';
  for await (const slice of text) {
    if (path.length > MAX_DEPTH) throw new FileProblem(`This file is not XML: entry ${at} has no end.`);
    size += slice.length;
    if (size > MAX_ROW_LENGTH) throw rowTooLong(`entry ${at}`);
    const known = rest + slice;
    // What may be the start of an entity waits for the rest of it.
    const end = slice === '' ? known.length : known.search(/&[#\w]{0,32}$|$/);
    rest = known.slice(end);
    // The parser would take the quote after a bare ampersand for a part of the attribute.
    parser.write(known.slice(0, end).replace(/&(?!#?\w+;)/g, ESCAPED_AMPERSAND));
    yield* found;
    found = [];
  }
  if (path.length > 0) throw new FileProblem(`This file ends too early, after entry ${at}: it was cut off.`);
}
