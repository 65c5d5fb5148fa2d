import sax from 'sax';
import {
  FileProblem,
  type FileRecord,
  MAX_ROW_LENGTH,
  normalizeFieldName,
  rowTooLong,
  type Value,
} from './import-file.ts';

/** Unusual but valid spelling of an ampersand. It replaces unescaped ampersands before the XML is parsed. */
const ESCAPED_AMPERSAND = '&#x0000026;';

/** Maximum depth of nested XML elements. */
const MAX_DEPTH = 100;

/**
 * Reads the `<item>` elements of an XML file, such as an RSS feed. Children and their attributes become fields.
 * Unescaped ampersands are accepted, because a YOURLS plugin writes them.
 *
 * @throws FileProblem if an item is too long, elements are nested too deep, or the file is incomplete
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
  // XML parsers do not decode entities in CDATA sections, so the replaced ampersands are restored here.
  parser.oncdata = (part) => addText(part.replaceAll(ESCAPED_AMPERSAND, '&'));
  parser.onclosetag = (name) => {
    path.pop();
    if (name !== 'item' || !item) return;
    at += 1;
    found.push({ at, fields: item });
    item = null;
    size = 0;
  };
  // If one item contains an error, the parser continues with the next item.
  parser.onerror = () => parser.resume();

  let rest = '';
  for await (const slice of text) {
    if (path.length > MAX_DEPTH) throw new FileProblem(`This file is not XML: entry ${at} has no end.`);
    size += slice.length;
    if (size > MAX_ROW_LENGTH) throw rowTooLong(`entry ${at}`);
    const available = rest + slice;
    // If the slice ends with the beginning of an entity such as `&am`, the beginning is parsed together with the next
    // slice.
    const end = slice === '' ? available.length : available.search(/&[#\w]{0,32}$|$/);
    rest = available.slice(end);
    // Escapes ampersands that are not part of an entity. The parser would otherwise miss the quote that ends an
    // attribute.
    parser.write(available.slice(0, end).replace(/&(?!#?\w+;)/g, ESCAPED_AMPERSAND));
    yield* found;
    found = [];
  }
  if (path.length > 0) throw new FileProblem(`This file ends too early, after entry ${at}: it was cut off.`);
}
