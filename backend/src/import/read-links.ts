import { detectService } from './formats/detect-format.ts';
import type { Format } from './formats/format.ts';
import { FileProblem, MAX_ROWS } from './readers/import-file.ts';
import type { OnPage } from './readers/json-reader.ts';
import { readRecords, type Source } from './readers/read-records.ts';
import { recordToLinks, type SourceLink } from './record-to-link.ts';

/** One link of a file with where it stands there, or why that cannot be read. */
export type ReadLink = { at: number; link: SourceLink } | { at: number; problem: string; subject: string };

/** A file whose format is known. */
export interface LinkSource extends Source {
  format: Format;
}

/** How many records are read to recognise a format: fields that are empty may be left out of some. */
const SAMPLE_SIZE = 50;

/**
 * Recognises the format of a file by the names of its fields.
 *
 * @throws FileProblem where it has no records, or they name no long URLs
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
  if (records === 0) throw new FileProblem('This file holds no links.');
  throw new FileProblem(NO_FORMAT[positionUnit(source)]);
}

const NO_FORMAT = {
  line: 'The first line of this file names no column of long URLs: “url”, “longUrl” or “target”.',
  entry: 'The entries of this file name no long URLs, such as “url”, “longUrl” or “target”.',
};

/** How to say where a link stands in a file. */
export function positionUnit({ layout }: Pick<Source, 'layout'>): 'line' | 'entry' {
  return layout.kind === 'json' || layout.kind === 'xml' ? 'entry' : 'line';
}

/**
 * Reads the links of a file; several can stand at one line.
 *
 * @throws FileProblem where it cannot be read to its end, or holds too many
 */
export async function* readLinks(source: LinkSource, now: number, onPage?: OnPage): AsyncGenerator<ReadLink> {
  const isTable = positionUnit(source) === 'line' && source.layout.kind !== 'tabs';
  let count = 0;
  for await (const record of readRecords(source, onPage)) {
    const { at } = record;
    const found: ReadLink[] =
      'problem' in record
        ? [record]
        : recordToLinks(record.fields, source.format, isTable, now).map((link) => ({ at, link }));
    count += found.length;
    if (count > MAX_ROWS) throw new FileProblem(TOO_MANY_ROWS);
    yield* found;
  }
}

const TOO_MANY_ROWS = `This file has more than ${MAX_ROWS.toLocaleString('en')} rows. Split it into smaller files.`;
