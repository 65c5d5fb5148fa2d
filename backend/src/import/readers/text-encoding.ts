import { createHash } from 'node:crypto';
import { setImmediate as tick } from 'node:timers/promises';
import { detectUtf16 } from '@terse/contract/text-encoding';
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
 * Reads a whole file, detects its text encoding and computes its SHA-256 hash.
 *
 * @throws FileProblem if the file is not text
 */
export async function inspectText(file: ImportFile): Promise<{ encoding: Encoding; fingerprint: string }> {
  if (file.size === 0) throw new FileProblem('This file is empty.');
  const head = await file.read(0, SLICE_BYTES);
  const binary = BINARY_FILES.find(([start]) => head.toString('latin1', 0, start.length) === start);
  if (binary) throw new FileProblem(binary[1]);
  const utf16 = detectUtf16(head);
  const hash = createHash('sha256');
  const check = utf16 ? null : createUtf8Check();
  for (let at = 0; at < file.size; at += SLICE_BYTES) {
    const bytes = await file.read(at, at + SLICE_BYTES);
    hash.update(bytes);
    check?.add(bytes);
    await tick();
  }
  return { encoding: check ? check.encoding() : (utf16 ?? 'utf-8'), fingerprint: hash.digest('hex') };
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
  let decoder = new TextDecoder('utf-8', { fatal: true });
  let isUtf8 = true;
  let hasZero = false;
  let line = 1;
  let letters = 0;
  let faults = 0;
  let faultyLine = 0;

  function count(text: string): void {
    // ASCII text reveals nothing about the encoding, so only its lines are counted. This saves time, because most
    // text is ASCII.
    if (!/[^\0-\x7f]/.test(text)) line += countLines(text);
    else for (const letter of text) countLetter(letter);
  }

  function countLetter(letter: string): void {
    if (letter === '\n') line += 1;
    else if (letter <= '\x7f') return;
    else if (isUtf8 || letter !== '\ufffd') letters += 1;
    else {
      faults += 1;
      faultyLine ||= line;
    }
  }

  function decode(bytes: Buffer): string {
    if (isUtf8) {
      try {
        return decoder.decode(bytes, { stream: true });
      } catch {
        isUtf8 = false;
        decoder = new TextDecoder();
      }
    }
    return decoder.decode(bytes, { stream: true });
  }

  return {
    add(bytes: Buffer): void {
      hasZero ||= bytes.includes(0);
      count(decode(bytes));
    },
    /** Returns the detected encoding. An incomplete character at the end of the file is ignored. */
    encoding(): Encoding {
      if (hasZero) throw new FileProblem('This file is not text. Choose a CSV or JSON file.');
      if (isUtf8) return 'utf-8';
      if (letters < faults) return 'windows-1252';
      throw new FileProblem(`This file mixes text encodings: see line ${faultyLine}. Save it as UTF-8.`);
    },
  };
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
