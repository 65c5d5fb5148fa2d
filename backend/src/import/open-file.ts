import { createHash } from 'node:crypto';
import { setImmediate as tick } from 'node:timers/promises';
import { detectUtf16 } from '@terse/contract/text-encoding';
import { FORMATS, type Format } from './formats.ts';
import { FileProblem, type FileRecord, lineOf, readRecords } from './read-records.ts';
import { type FileLink, type ImportRules, recordToLinks } from './record-to-link.ts';

/** Maximum number of links in one file. */
export const MAX_ROWS = 200_000;

/** Number of links that are read together. Between two batches, the process can respond to other requests. */
const BATCH_SIZE = 200;

/** Number of bytes from which the type of a file is detected. */
const HEAD_LENGTH = 16 * 1024;

/**
 * Text encodings, by their names in the WHATWG Encoding standard. Latin-1 files are read as Windows-1252, which
 * contains all printable characters of Latin-1.
 */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** File of another service that can be imported. */
export interface ImportFile {
  text: string;
  encoding: Encoding;
  /** SHA-256 hash of the file. It shows whether the same file was imported before. */
  fingerprint: Uint8Array;
  /** True for CSV, false for JSON. */
  isTable: boolean;
  format: Format;
}

/**
 * Detects the text encoding of a file, its type, and the service that exported it.
 *
 * @throws FileProblem if the file is not text, has no links, or must be exported in another format
 */
export async function openImportFile(bytes: Uint8Array): Promise<ImportFile> {
  const { text, encoding } = decodeText(bytes);
  const isTable = detectTable(text.slice(0, HEAD_LENGTH));
  const fingerprint = createHash('sha256').update(bytes).digest();
  const format = await findFormat(text, isTable);
  return { text, encoding, isTable, fingerprint, format };
}

/** Decodes a file as UTF-16, UTF-8 or Windows-1252. Spreadsheet programs often use Windows-1252. */
function decodeText(bytes: Uint8Array): { text: string; encoding: Encoding } {
  const utf16 = detectUtf16(bytes.subarray(0, HEAD_LENGTH));
  if (utf16) return { text: new TextDecoder(utf16).decode(bytes), encoding: utf16 };
  if (bytes.includes(0))
    throw new FileProblem(
      'This file is not text, but a database, an archive or a spreadsheet. Export the links as CSV or JSON.',
    );
  try {
    // In a stream, an incomplete last character is not an error.
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true }), encoding: 'utf-8' };
  } catch {
    const text = new TextDecoder().decode(bytes);
    if (isMostlyUtf8(text)) {
      const line = lineOf(text, text.indexOf('\ufffd'));
      throw new FileProblem(`This file mixes text encodings: see line ${line}. Save it as UTF-8.`);
    }
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
  }
}

/** Returns true if most characters that are not ASCII could be decoded. U+FFFD replaces the others. */
function isMostlyUtf8(text: string): boolean {
  let surplus = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0xfffd) surplus -= 1;
    else if (unit > 0x7f) surplus += 1;
  }
  return surplus >= 0;
}

/** Returns true if a file that starts with this text is CSV, and false if it is JSON. */
function detectTable(head: string): boolean {
  const start = head.trimStart();
  if (start === '') throw new FileProblem('This file is empty.');
  if (!start.startsWith('<')) return !/^[{[]/.test(start);
  throw new FileProblem('Web pages and XML files cannot be imported. Export the links as CSV or JSON.');
}

/**
 * Number of records from which the format is detected. Some services omit empty fields, so a single record is not
 * sufficient.
 */
const SAMPLE_SIZE = 50;

/**
 * Detects the format of a file from its field names.
 *
 * @throws FileProblem if the file has no records, or no field contains long URLs
 */
async function findFormat(text: string, isTable: boolean): Promise<Format> {
  const sample: FileRecord[] = [];
  for (const record of readRecords(text, isTable)) {
    if (record) sample.push(record);
    else await tick();
    if (sample.length === SAMPLE_SIZE) break;
  }
  const names = new Set(sample.flatMap((record) => ('fields' in record ? [...record.fields.keys()] : [])));
  const format = FORMATS.find(({ detectedBy }) => detectedBy.some((list) => list.every((name) => names.has(name))));
  if (format) return format;
  if (names.size === 0) throw new FileProblem('This file contains no links, or its first rows cannot be read.');
  throw new FileProblem(
    isTable
      ? 'The first line of this file names no column with long URLs. Name it “url”, “longUrl” or “target”.'
      : 'The entries of this file have no field with long URLs. Name it “url”, “longUrl” or “target”.',
  );
}

/**
 * Reads and validates all links of a file in batches. One row can contain several links.
 *
 * @throws FileProblem if the file cannot be read to its end, or contains too many links
 */
export async function* readLinks(
  { text, isTable, format }: ImportFile,
  rules: ImportRules,
  now: number,
): AsyncGenerator<FileLink[]> {
  let batch: FileLink[] = [];
  let count = 0;
  for (const record of readRecords(text, isTable)) {
    const links = record ? recordToLinks(record, format, isTable, rules, now) : [];
    count += links.length;
    if (count > MAX_ROWS) {
      const limit = MAX_ROWS.toLocaleString('en');
      throw new FileProblem(`This file has more than ${limit} rows. Split it into smaller files.`);
    }
    batch.push(...links);
    if (record && batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
    await tick();
  }
  yield batch;
}
