import sax from 'sax';
import {
  FileProblem,
  type FileRecord,
  MAX_ROW_LENGTH,
  normalizeFieldName,
  rowTooLong,
  type Value,
} from './import-file.ts';

/**
 * XML entity that replaces unescaped ampersands before parsing. Its leading zeros distinguish it from the entities
 * that files normally contain.
 */
const ESCAPED_AMPERSAND = '&#x0000026;';

const MAX_DEPTH = 100;

/**
 * Reads the `<item>` elements of an XML file, such as an RSS feed. The child elements of an item become fields, and
 * so do the attributes of these child elements. Unescaped ampersands are accepted, because a YOURLS plugin writes
 * them.
 *
 * @throws FileProblem if an item is too long, elements are nested too deeply, or the file is incomplete
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
  // Restores ampersands that were escaped before parsing, because XML parsers do not decode entities in CDATA
  // sections.
  parser.oncdata = (part) => addText(part.replaceAll(ESCAPED_AMPERSAND, '&'));
  parser.onclosetag = (name) => {
    path.pop();
    if (name !== 'item' || !item) return;
    at += 1;
    found.push({ at, fields: item });
    item = null;
    size = 0;
  };
  // After a syntax error, the parser continues with the rest of the file.
  parser.onerror = () => parser.resume();

  let rest = '';
  for await (const slice of text) {
    if (path.length > MAX_DEPTH) throw new FileProblem(`This file is not XML: entry ${at} has no end.`);
    size += slice.length;
    if (size > MAX_ROW_LENGTH) throw rowTooLong(`entry ${at}`);
    const available = rest + slice;
    // If a slice ends in the middle of an entity, such as `&am`, the beginning of the entity is parsed together with
    // the next slice.
    const end = slice === '' ? available.length : available.search(/&[#\w]{0,32}$|$/);
    rest = available.slice(end);
    // Escapes ampersands that do not start an entity. Otherwise, the parser might miss the end of an attribute.
    parser.write(available.slice(0, end).replace(/&(?!#?\w+;)/g, ESCAPED_AMPERSAND));
    yield* found;
    found = [];
  }
  if (path.length > 0) throw new FileProblem(`This file ends too early, after entry ${at}: it was cut off.`);
}
