import { detectService } from './formats/detect-exporting-service.ts';
import type { Format } from './formats/format.ts';
import { FileProblem, MAX_ROWS } from './readers/import-file.ts';
import type { OnPage } from './readers/json-reader.ts';
import { readRecords, type Source } from './readers/read-records.ts';
import { recordToLinks, type SourceLink } from './record-to-link.ts';

/** Link in a file with its position, or the reason why a row could not be read. */
export type ReadLink = { at: number; link: SourceLink } | { at: number; problem: string; subject: string };

export interface LinkSource extends Source {
  format: Format;
}

/**
 * Number of records from which the format is detected. Some services omit empty fields, so a single record is not
 * sufficient.
 */
const SAMPLE_SIZE = 50;

const TOO_MANY_ROWS = `This file has more than ${MAX_ROWS.toLocaleString('en')} rows. Split it into smaller files.`;

const NO_FORMAT = {
  line: 'The first line of this file names no column with long URLs. Name it “url”, “longUrl” or “target”.',
  entry: 'The entries of this file have no field with long URLs. Name it “url”, “longUrl” or “target”.',
};

/**
 * Detects the format of a file from its field names.
 *
 * @throws FileProblem if the file has no records, or no field contains long URLs
 */
export async function findFormat(source: Source): Promise<LinkSource> {
  const names = new Set<string>();
  let records = 0;
  for await (const record of readRecords(source)) {
    if ('fields' in record) for (const name of record.fields.keys()) names.add(name);
    records += 1;
    if (records === SAMPLE_SIZE) break;
  }
  const format = detectService(names);
  if (format) return { ...source, format };
  if (records === 0) throw new FileProblem('This file contains no links.');
  throw new FileProblem(NO_FORMAT[positionUnit(source)]);
}

/** Returns the word that precedes a number in messages about the file, such as “line 5” or “entry 5”. */
export function positionUnit({ layout }: Pick<Source, 'layout'>): 'line' | 'entry' {
  return layout.kind === 'json' ? 'entry' : 'line';
}

/**
 * Reads all links of a file. One row can contain several links.
 *
 * @throws FileProblem if the file cannot be read to its end, or contains too many links
 */
export async function* readLinks(source: LinkSource, now: number, onPage?: OnPage): AsyncGenerator<ReadLink> {
  const { format, dateOrder } = source;
  const isTable = positionUnit(source) === 'line';
  let count = 0;
  for await (const record of readRecords(source, onPage)) {
    const { at } = record;
    const links: ReadLink[] =
      'problem' in record
        ? [record]
        : recordToLinks(record.fields, { format, isTable, dateOrder, now }).map((link) => ({ at, link }));
    count += links.length;
    if (count > MAX_ROWS) throw new FileProblem(TOO_MANY_ROWS);
    yield* links;
  }
}
