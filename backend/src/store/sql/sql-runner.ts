import type { Sql } from 'sql-template-tag';
import type { NewLink, StoredLink } from '../../domain/links/stored-link.ts';

/** Runs a statement and returns its rows. The statement names the columns. */
export type Run = <Row>(statement: Sql) => Promise<Row[]>;

/** Operations that each engine provides for the SQL that both share. */
export interface SharedDatabase {
  /** Runs one statement that only reads. */
  read: Run;
  /** Runs one statement that writes. Resolves when the data is on disk. */
  write: Run;
  /**
   * Runs `work` in a transaction and rolls back if it throws. After a conflict `work` runs again, so it may have no
   * side effects outside the transaction.
   */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Suffix for a SELECT that locks the rows until the end of the transaction. Empty on SQLite, which allows one
   * transaction at a time.
   */
  rowLock: Sql;
}

export interface Transaction {
  run: Run;
  makeLinks: MakeLinks;
}

/**
 * Creates links, each with its first free code. Each engine has its own implementation, which create requests use
 * too.
 */
export type MakeLinks = (links: LinkToMake[]) => Promise<LinkResult[]>;

export interface LinkToMake extends NewLink {
  accountId: number;
  /** Null for a link that is created without an API key. */
  keyId: number | null;
  /** The same id if the key can see only its own links; null otherwise. */
  ownKeyId: number | null;
  createdAt: number;
}

export interface LinkResult {
  /** Codes that were tried, in order. */
  tried: string[];
  /** Null if all codes were taken. */
  made: StoredLink | null;
}
