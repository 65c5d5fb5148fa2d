import { createHash } from 'node:crypto';
import { setImmediate as tick } from 'node:timers/promises';
import { detectUtf16 } from '@terse/contract/text-encoding';
import { type DateOrder, ordersIn } from './dates.ts';
import { FileProblem, type ImportFile, SLICE_BYTES } from './import-file.ts';

/**
 * Text encodings, by their names in the WHATWG Encoding standard. Latin-1 files are read as Windows-1252, which
 * contains all printable characters of Latin-1.
 */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** First bytes of common binary file types, with the error message for each type. */
const BINARY_FILES: [start: string, problem: string][] = [
  ['SQLite format 3\0', 'This file is an SQLite database. Export its table of links as CSV with a header instead.'],
  ['PK\x03\x04', 'This file is an archive or a spreadsheet. Unpack it, or save the spreadsheet as CSV.'],
  ['\x1f\x8b', 'This file is compressed. Unpack it first.'],
];

/**
 * Reads a whole file, detects its text encoding and the order of day and month in its dates, and computes its SHA-256
 * hash.
 *
 * @throws FileProblem if the file is not text
 */
export async function inspectText(file: ImportFile) {
  if (file.size === 0) throw new FileProblem('This file is empty.');
  const head = await file.read(0, SLICE_BYTES);
  const binary = BINARY_FILES.find(([start]) => head.toString('latin1', 0, start.length) === start);
  if (binary) throw new FileProblem(binary[1]);
  const utf16 = detectUtf16(head);
  const decoder = new TextDecoder(utf16 ?? 'utf-8');
  const check = createUtf8Check();
  const hash = createHash('sha256');
  const orders = new Set<DateOrder>();
  for (let at = 0; at < file.size; at += SLICE_BYTES) {
    const bytes = await file.read(at, at + SLICE_BYTES);
    const text = decoder.decode(bytes, { stream: true });
    hash.update(bytes);
    if (!utf16) check.add(bytes, text);
    for (const order of ordersIn(text)) orders.add(order);
    await tick();
  }
  const [order = null] = orders;
  return {
    encoding: utf16 ?? check.encoding(),
    dateOrder: orders.size === 1 ? order : null,
    fingerprint: hash.digest('hex'),
  };
}

/** Yields the text of a file in slices, without a byte order mark. */
export async function* readText(file: ImportFile, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for (let at = 0; at < file.size; at += SLICE_BYTES) {
    yield decoder.decode(await file.read(at, at + SLICE_BYTES), { stream: true });
    await tick();
  }
  yield decoder.decode();
}

/** Detects whether a file is encoded in UTF-8 or Windows-1252. Spreadsheet programs often use Windows-1252. */
function createUtf8Check() {
  const strict = new TextDecoder('utf-8', { fatal: true });
  let isUtf8 = true;
  let hasZero = false;
  let line = 1;
  let letters = 0;
  let faults = 0;

  function isValid(bytes: Buffer): boolean {
    try {
      strict.decode(bytes, { stream: true });
      return true;
    } catch {
      return false;
    }
  }

  return {
    /** @param text the bytes as UTF-8, with U+FFFD for those that are invalid */
    add(bytes: Buffer, text: string): void {
      hasZero ||= bytes.includes(0);
      isUtf8 &&= isValid(bytes);
      if (faults === 0) line += countOf(isUtf8 ? text : text.slice(0, text.indexOf('\ufffd')), /\n/g);
      if (!isUtf8) faults += countOf(text, /\ufffd/g);
      letters += countOf(text, /[^\0-\x7f\ufffd]/g);
    },
    /** Returns the detected encoding. An incomplete character at the end of the file is ignored. */
    encoding(): Encoding {
      if (hasZero) throw new FileProblem('This file is not text. Choose a CSV or JSON file.');
      if (isUtf8) return 'utf-8';
      if (letters < faults) return 'windows-1252';
      throw new FileProblem(`This file mixes text encodings: see line ${line}. Save it as UTF-8.`);
    },
  };
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
