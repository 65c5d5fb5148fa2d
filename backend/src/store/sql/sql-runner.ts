import type { Sql } from 'sql-template-tag';
import type { NewLink, StoredLink } from '../interface/store.ts';

/** Runs one statement and returns its rows, with the names that the statement gives its columns. */
export type Run = <Row>(statement: Sql) => Promise<Row[]>;

/** What each engine offers to the statements that are written once for both. */
export interface SharedDatabase {
  /** One statement that changes nothing. */
  read: Run;
  /** One statement that changes something; on disk when it resolves. */
  write: Run;
  /**
   * Runs `work` in a transaction of its own, which is undone where it throws. Where it collides with another it runs
   * again from the start, so it must have no effect but through the transaction.
   */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Ends a SELECT of rows that must not change before the transaction ends. Empty on SQLite, where one transaction
   * writes at a time.
   */
  rowLock: Sql;
}

export interface Transaction {
  run: Run;
  makeLinks: MakeLinks;
}

/** Makes links, each with the first of its codes that is free. By hand on each engine, since submissions use it too. */
export type MakeLinks = (links: LinkToMake[]) => Promise<LinkResult[]>;

export interface LinkToMake extends NewLink {
  accountId: number;
  /** Null for a link that is made outside any key's budget. */
  keyId: number | null;
  /** The same for a key that sees no links but its own; null for any other. */
  ownKeyId: number | null;
  createdAt: number;
}

export interface LinkResult {
  /** The codes that were tried, in order. */
  tried: string[];
  /** Null where all its codes were taken. */
  made: StoredLink | null;
}
