import sax from 'sax';
import {
  FileProblem,
  type FileRecord,
  MAX_ROW_LENGTH,
  normalizeFieldName,
  rowTooLong,
  type Value,
} from './import-file.ts';

/** Unusual spelling of an ampersand, which replaces unescaped ampersands before parsing. */
const ESCAPED_AMPERSAND = '&#x0000026;';

/** Maximum depth of elements. */
const MAX_DEPTH = 100;

/**
 * Reads the `<item>` elements of an XML file, such as a feed. Each child of an item is a field, and its attributes are nested
 * fields. The parser accepts unescaped ampersands, because a YOURLS plugin writes them.
 *
 * @throws FileProblem if an item is too long, elements are nested too deep, or the file was cut off
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
  // Entities are not decoded in CDATA sections.
  parser.oncdata = (part) => addText(part.replaceAll(ESCAPED_AMPERSAND, '&'));
  parser.onclosetag = (name) => {
    path.pop();
    if (name !== 'item' || !item) return;
    at += 1;
    found.push({ at, fields: item });
    item = null;
    size = 0;
  };
  // After an error in one item, the parser continues with the next one.
  parser.onerror = () => parser.resume();

  let rest = '';
  for await (const slice of text) {
    if (path.length > MAX_DEPTH) throw new FileProblem(`This file is not XML: entry ${at} has no end.`);
    size += slice.length;
    if (size > MAX_ROW_LENGTH) throw rowTooLong(`entry ${at}`);
    const available = rest + slice;
    // The start of an entity at the end of a slice waits for the next slice.
    const end = slice === '' ? available.length : available.search(/&[#\w]{0,32}$|$/);
    rest = available.slice(end);
    // Without this, the parser would read the quote after an unescaped ampersand as part of the attribute.
    parser.write(available.slice(0, end).replace(/&(?!#?\w+;)/g, ESCAPED_AMPERSAND));
    yield* found;
    found = [];
  }
  if (path.length > 0) throw new FileProblem(`This file ends too early, after entry ${at}: it was cut off.`);
}
