import type { Settings } from '../storage/settings.ts';
import type { ExportedConnection, ExportedLink, ExportedRequest } from './export-schema.ts';

/** In bytes of a file, or UTF-16 units of a text: some 50,000 links of an export. */
export const MAX_FILE_SIZE = 32 * 1024 * 1024;

/** Entries that are taken from one file; millions of them would take all of a page's memory. */
export const MAX_ENTRIES = 50_000;

/** Why a file is no import at all; each has its sentence under `importProblem_<problem>`. */
export type FileProblem =
  | 'empty'
  | 'not_text'
  | 'broken_json'
  | 'broken_csv'
  | 'newer_version'
  | 'no_columns'
  | 'too_much'
  | 'unreadable';

/** Why an entry of a file is left out; each has its sentence under `importLeftOut_<reason>`. */
export type SkipReason = 'no_long_url' | 'no_short_url' | 'bad_long_url' | 'bad_short_url' | 'twice' | 'broken_entry';

/** An entry of a file that is left out, and where a person finds it. */
export interface SkippedEntry {
  /** What the file calls the list it is in. Null: the file is one list. */
  list: string | null;
  /** Its number in that list, from 1. */
  entry: number;
  reason: SkipReason;
}

/** What a column of a table was taken for. */
export type Field = 'url' | 'shortUrl' | 'title' | 'createdAt';

/** A file that was read, before it is held against what is here. */
export interface Contents {
  /** Null: an export of Terse. */
  columns: { recognized: { field: Field; name: string }[]; unused: string[] } | null;
  /** It was not Unicode, and read as the old encoding of Western Windows: letters may be wrong. */
  guessedEncoding: boolean;
  connections: ExportedConnection[];
  requests: ExportedRequest[];
  links: ExportedLink[];
  /** Null: the file has none. */
  settings: Settings | null;
  leftOut: SkippedEntry[];
}
