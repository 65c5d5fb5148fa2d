import type { NewLink } from '../../domain/links/stored-link.ts';

/** An import of links from one file. */
export interface Import {
  id: number;
  accountId: number;
  /** Name of the file. */
  name: string;
  /** Number of rows in the file. The next three fields count the processed rows by result. */
  total: number;
  made: number;
  unchanged: number;
  refused: number;
  startedAt: number;
  /** Time when rows were last processed. */
  updatedAt: number;
  finishedAt: number | null;
  /** Id of the run that processes the import; null if it is finished or stopped. */
  runner: string | null;
}

/** An import together with the run that processes it. */
export type ImportRun = Pick<Import, 'id' | 'runner'>;

export interface NewImport {
  accountId: number;
  name: string;
  total: number;
  /** Hash of the file. Only equal files have the same one. */
  fingerprint: Uint8Array;
  runner: string;
  /** True to import a file again that was already imported completely. */
  again: boolean;
  now: number;
}

/** One validated link of a row, or the reason why it cannot be created. A row can contain several links. */
export type ImportRow =
  | { line: number; subject: string; link: NewLink & { createdAt: number } }
  | { line: number; subject: string; problem: string };

export interface ImportError {
  line: number;
  /** Short code or URL of the row, shortened. */
  subject: string;
  problem: string;
}

export interface ImportStore {
  /**
   * Continues the account's unfinished import of the same file, or starts a new one, in one transaction. An earlier
   * run of that import can no longer write to it. If the file was imported completely, returns that import unchanged,
   * unless `again` is set.
   */
  begin(start: NewImport): Promise<Import>;
  /**
   * Imports some rows and counts them, in one transaction. A link with a code and URL that the account already has is
   * left unchanged. If a code is taken otherwise, its row gets an error. Returns false and does nothing if another
   * run has taken over the import.
   *
   * @param taken error message for a row whose code is taken
   */
  apply(run: ImportRun, rows: ImportRow[], taken: string, now: number): Promise<boolean>;
  finish(run: ImportRun, now: number): Promise<void>;
  /** Stops a run before the import is finished. */
  leave(run: ImportRun): Promise<void>;
  /**
   * Deletes up to `max` row errors of an account's old imports, and then those imports. Keeps the `kept` imports
   * with the latest progress. Returns true if there is more to delete.
   */
  forget(accountId: number, kept: number, max: number): Promise<boolean>;
  get(accountId: number, id: number): Promise<Import | null>;
  /** Returns the imports of an account, newest first. */
  list(accountId: number, max: number): Promise<Import[]>;
  /** Returns the row errors of an import after `line`, ordered by line. */
  errors(importId: number, line: number, max: number): Promise<ImportError[]>;
}
