import type { Settings } from '../storage/settings.ts';
import type { ExportedConnection, ExportedLink, ExportedRequest } from './export-schema.ts';

/** Maximum size of an import, in bytes for a file and in UTF-16 code units for pasted text. About 50,000 links fit. */
export const MAX_FILE_SIZE = 32 * 1024 * 1024;

/** Maximum number of entries in one import, to limit memory use. */
export const MAX_ENTRIES = 50_000;

/** Reasons why the extension cannot import a file. The message key is `importProblem_<problem>`. */
export type FileProblem =
  | 'empty'
  | 'not_text'
  | 'broken_json'
  | 'broken_csv'
  | 'newer_version'
  | 'no_columns'
  | 'too_much'
  | 'unreadable';

/** Reasons why the import skips an entry. The message key is `importLeftOut_<reason>`. */
export type SkipReason = 'no_long_url' | 'no_short_url' | 'bad_long_url' | 'bad_short_url' | 'twice' | 'broken_entry';

export interface SkippedEntry {
  /** Name or path of the list that contains the entry. Null if the whole file is one list. */
  list: string | null;
  /** Position of the entry in its list, starting at 1. */
  entry: number;
  reason: SkipReason;
}

/** Link property that can be imported from a table. */
export type Field = 'url' | 'shortUrl' | 'title' | 'createdAt';

export interface Contents {
  /**
   * Columns of the imported table. `unused` contains the names of the columns that are not imported. Null if the file
   * is a Terse export, which is not a table.
   */
  columns: { recognized: { field: Field; name: string }[]; unused: string[] } | null;
  /** True if the file is not valid Unicode and was read as Windows-1252. Some letters may be wrong. */
  guessedEncoding: boolean;
  connections: ExportedConnection[];
  requests: ExportedRequest[];
  links: ExportedLink[];
  settings: Settings | null;
  leftOut: SkippedEntry[];
}
