import type { NewLink } from './store.ts';

/** One file of links that is, or was, taken in. */
export interface Import {
  id: number;
  accountId: number;
  /** What the file was called. */
  name: string;
  /** Rows of the file, and what became of those handled so far. */
  total: number;
  made: number;
  unchanged: number;
  refused: number;
  startedAt: number;
  /** When rows were last handled. */
  updatedAt: number;
  finishedAt: number | null;
  /** Who runs it; null where nobody does, since it is finished or was stopped. */
  runner: string | null;
}

/** An import as one run of it knows it. */
export type Run = Pick<Import, 'id' | 'runner'>;

export interface NewImport {
  accountId: number;
  name: string;
  total: number;
  /** Equal for equal files alone. */
  fingerprint: Uint8Array;
  runner: string;
  /** Whether to import a file once more that was imported to its end. */
  again: boolean;
  now: number;
}

/** One link of a row, validated: to be made as it once was, or why it cannot be made. A row can stand for several. */
export type ImportRow =
  | { line: number; subject: string; link: NewLink & { createdAt: number } }
  | { line: number; subject: string; problem: string };

export interface ImportError {
  line: number;
  /** What the row is about: its code or URL, cut. */
  subject: string;
  problem: string;
}

export interface ImportStore {
  /**
   * In ONE transaction: continues the account's unfinished import of the same file, whose runner before does nothing
   * more of it, or begins one. Where the file was imported to its end, returns that import as it is, unless asked again.
   */
  begin(given: NewImport): Promise<Import>;
  /**
   * Imports some rows and counts them, in ONE transaction. A link that the account already has, with the same code
   * and URL, is left as it is; a code that is otherwise taken is an error of its row. Does nothing, and returns false,
   * where somebody else runs the import by now.
   *
   * @param taken the problem to note where a row's code is taken
   */
  apply(run: Run, rows: ImportRow[], taken: string, now: number): Promise<boolean>;
  finish(run: Run, now: number): Promise<void>;
  /** Stops running an import before its end. */
  leave(run: Run): Promise<void>;
  /**
   * Removes what was wrong with some rows, at most `most`, of an account's imports but the `kept` that were at work
   * last, and then those imports. Returns whether there is more to remove.
   */
  forget(accountId: number, kept: number, most: number): Promise<boolean>;
  get(accountId: number, id: number): Promise<Import | null>;
  /** An account's imports, the latest first. */
  list(accountId: number, most: number): Promise<Import[]>;
  /** What was wrong with an import's rows, by line, from the one after `line`. */
  errors(importId: number, line: number, most: number): Promise<ImportError[]>;
}
