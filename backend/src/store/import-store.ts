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
}

export interface NewImport {
  accountId: number;
  name: string;
  total: number;
  now: number;
}

/** One row, judged: a link to be made as it once was, or why it is none. */
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
  begin(given: NewImport): Promise<Import>;
  /**
   * Carries out some rows and counts them, in ONE transaction. A link that the account already has, with the same code
   * and URL, is left as it is; a code that is otherwise taken is an error of its row.
   *
   * @param taken the problem to note where a row's code is taken
   */
  apply(importId: number, rows: ImportRow[], taken: string, now: number): Promise<void>;
  finish(importId: number, now: number): Promise<void>;
  get(accountId: number, id: number): Promise<Import | null>;
  /** An account's imports, the latest first. */
  list(accountId: number, most: number): Promise<Import[]>;
  /** What was wrong with an import's rows, by line, from the one after `line`. */
  errors(importId: number, line: number, most: number): Promise<ImportError[]>;
}
