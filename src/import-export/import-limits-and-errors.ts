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
  | 'not_an_export'
  | 'broken_json'
  | 'newer_version'
  | 'too_much'
  | 'unreadable';

/** Reasons why the import skips an entry. The message key is `importLeftOut_<reason>`. */
export type SkipReason = 'twice' | 'broken_entry';

export interface SkippedEntry {
  /** Name of the list that contains the entry. */
  list: string;
  /** Position of the entry in its list, starting at 1. */
  entry: number;
  reason: SkipReason;
}

export interface Contents {
  /** True if the file is not valid Unicode and was read as Windows-1252. Some letters may be wrong. */
  guessedEncoding: boolean;
  connections: ExportedConnection[];
  requests: ExportedRequest[];
  links: ExportedLink[];
  settings: Settings | null;
  leftOut: SkippedEntry[];
}
