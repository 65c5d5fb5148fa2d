import type { NewLink } from '../../domain/links/stored-link.ts';

/** An import of links from a file. */
export interface Import {
  id: number;
  accountId: number;
  /** Name of the imported file. */
  name: string;
  /** Number of rows in the file. The next three fields count the rows that were processed, by their result. */
  total: number;
  made: number;
  unchanged: number;
  refused: number;
  startedAt: number;
  /** Time when rows were last processed. */
  updatedAt: number;
  finishedAt: number | null;
  /** Id of the run that processes the import. Null if the import is finished or stopped. */
  runner: string | null;
}

/** An import and the run that processes it. */
export type ImportRun = Pick<Import, 'id' | 'runner'>;

export interface NewImport {
  accountId: number;
  name: string;
  total: number;
  /** Hash of the file's contents. */
  fingerprint: Uint8Array;
  runner: string;
  /** True if the user wants to import the same file again. */
  again: boolean;
  now: number;
}

/**
 * One valid link from a row of the file, or the reason why the link cannot be created. A row can contain several
 * links.
 */
export type ImportRow =
  | { line: number; subject: string; link: NewLink & { createdAt: number } }
  | { line: number; subject: string; problem: string };

export interface ImportError {
  line: number;
  /** Shortened short code or URL of the row, to show with the error. */
  subject: string;
  problem: string;
}

export interface ImportStore {
  /**
   * Starts an import, or continues the account's unfinished import of the same file. An earlier run of that import
   * can no longer write. If the file was already imported completely, that import is returned unchanged unless
   * `again` is true.
   */
  begin(start: NewImport): Promise<Import>;
  /**
   * Imports some rows and counts them, in one transaction. If the account already has a link with the same short code
   * and URL, that link stays unchanged. If the code belongs to any other link, the row gets an error. Returns false
   * without any change if another run has taken over the import.
   *
   * @param taken error message for a row whose short code is taken
   */
  apply(run: ImportRun, rows: ImportRow[], taken: string, now: number): Promise<boolean>;
  finish(run: ImportRun, now: number): Promise<void>;
  /** Stops a run whose import is not finished. Another run can continue the import later. */
  leave(run: ImportRun): Promise<void>;
  /**
   * Deletes up to `max` row errors of an account's old imports, and then those imports. The `kept` most recently
   * processed imports stay. Returns true if there is more to delete.
   */
  forget(accountId: number, kept: number, max: number): Promise<boolean>;
  get(accountId: number, id: number): Promise<Import | null>;
  list(accountId: number, max: number): Promise<Import[]>;
  /** Returns the row errors of an import after the line `line`, in the order of their lines. */
  errors(importId: number, line: number, max: number): Promise<ImportError[]>;
}
