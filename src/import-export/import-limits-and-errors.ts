import type { Settings } from '../storage/settings.ts';
import type { ExportedConnection, ExportedLink, ExportedRequest } from './export-schema.ts';

/** Maximum size of an import, in bytes of a file or UTF-16 units of text. About 50,000 exported links. */
export const MAX_FILE_SIZE = 32 * 1024 * 1024;

/** Maximum number of entries in one import, to bound memory. */
export const MAX_ENTRIES = 50_000;

/** Reasons why a file cannot be imported. Each has a message `importProblem_<problem>`. */
export type FileProblem =
  | 'empty'
  | 'not_text'
  | 'broken_json'
  | 'broken_csv'
  | 'newer_version'
  | 'no_columns'
  | 'too_much'
  | 'unreadable';

/** Reasons why an entry is skipped. Each has a message `importLeftOut_<reason>`. */
export type SkipReason = 'no_long_url' | 'no_short_url' | 'bad_long_url' | 'bad_short_url' | 'twice' | 'broken_entry';

/** A skipped entry, and its position in the file. */
export interface SkippedEntry {
  /** Name of the list that contains the entry. Null if the file is a single list. */
  list: string | null;
  /** Number of the entry in that list, starting at 1. */
  entry: number;
  reason: SkipReason;
}

/** Meaning of a table column. */
export type Field = 'url' | 'shortUrl' | 'title' | 'createdAt';

/** Contents of an import file, before they are compared with the stored data. */
export interface Contents {
  /** Null for a Terse export. */
  columns: { recognized: { field: Field; name: string }[]; unused: string[] } | null;
  /** True if the file was not Unicode and was read as Windows-1252. Some letters may be wrong. */
  guessedEncoding: boolean;
  connections: ExportedConnection[];
  requests: ExportedRequest[];
  links: ExportedLink[];
  /** Null if the file contains no settings. */
  settings: Settings | null;
  leftOut: SkippedEntry[];
}
