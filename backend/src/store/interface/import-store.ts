import type { NewLink } from '../../domain/links/stored-link.ts';

export interface Import {
  id: number;
  accountId: number;
  name: string;
  /** Number of links in the file. The next three fields count the processed links by result. */
  total: number;
  made: number;
  unchanged: number;
  refused: number;
  startedAt: number;
  updatedAt: number;
  finishedAt: number | null;
  /** Id of the upload from which links are currently being imported. Null if the import is finished or stopped. */
  runner: string | null;
}

export type ImportRun = Pick<Import, 'id' | 'runner'>;

export interface NewImport {
  accountId: number;
  name: string;
  total: number;
  fingerprint: Uint8Array;
  runner: string;
  /** True to import the file again, even if an earlier import of the file is complete. */
  again: boolean;
  now: number;
}

/**
 * A valid link from a row of the file, or the reason why a link in the row cannot be created. A row can contain
 * several links.
 */
export type ImportRow =
  | { line: number; subject: string; link: NewLink & { createdAt: number } }
  | { line: number; subject: string; problem: string };

export interface ImportError {
  line: number;
  subject: string;
  problem: string;
}

/** Error messages for a row whose short code is taken. */
export interface TakenMessages {
  /** Message if the account has a link with the short code and another URL. */
  own: string;
  /** Message if the account has deleted the link with the short code. */
  deleted: string;
  /** Message if another account has or had a link with the short code. */
  other: string;
}

export interface ImportStore {
  /**
   * Starts a new import, or continues the account's unfinished import of the same file. Stops other uploads of the
   * file that are still running. If the file was already imported and `again` is false, returns the finished import.
   */
  begin(start: NewImport): Promise<Import>;
  /**
   * Imports some rows and updates the counts of the import, in one transaction. If the account already has a link
   * with the same short code and URL, the existing link stays unchanged. If a different link has the short code, an
   * error is stored for the row. Each row, imported or not, is charged to the account's daily quota in the same
   * transaction. Returns the number of processed rows, which is smaller than the number of rows if the quota is used
   * up. Returns null and changes nothing if another upload has taken over the import.
   *
   * @param taken error messages for rows whose short code is taken
   * @param quota maximum number of rows per day, or null if the account has no quota
   */
  apply(
    run: ImportRun,
    rows: ImportRow[],
    taken: TakenMessages,
    now: number,
    quota?: number | null,
  ): Promise<number | null>;
  finish(run: ImportRun, now: number): Promise<void>;
  /** Stops an unfinished import. The user can continue the import later. */
  leave(run: ImportRun): Promise<void>;
  /**
   * Deletes part of an old import. An import is old if at least `kept` imports of the account were processed more
   * recently. Each call deletes up to `max` stored errors, and also deletes the import if no errors are left. Returns
   * false if the account has no old imports.
   */
  forget(accountId: number, kept: number, max: number): Promise<boolean>;
  get(accountId: number, id: number): Promise<Import | null>;
  list(accountId: number, max: number): Promise<Import[]>;
  /** Returns up to `max` errors of an import for rows after `line`, sorted by row. */
  errors(importId: number, line: number, max: number): Promise<ImportError[]>;
}
