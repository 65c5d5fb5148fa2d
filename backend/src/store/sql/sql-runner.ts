import type { Sql } from 'sql-template-tag';
import type { ChargedQuota, QuotaName } from '../../domain/limits/account-quotas.ts';
import type { NewLink, StoredLink } from '../../domain/links/stored-link.ts';

/** Runs an SQL statement and returns its rows. The column names in the statement must match the fields of `Row`. */
export type Run = <Row>(statement: Sql) => Promise<Row[]>;

/**
 * Operations that SQLite and PostgreSQL implement differently. The SQL statements that use these operations work on
 * both databases.
 */
export interface SharedDatabase {
  read: Run;
  /** Runs one write statement. The promise resolves when the data is on disk. */
  write: Run;
  /**
   * Runs `work` in a transaction, and rolls back if `work` throws. After a conflict, `work` runs again, so it must
   * have no side effects outside the transaction.
   */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * SQL suffix that locks the selected rows until the transaction ends. Empty on SQLite, which allows only one
   * writing transaction at a time.
   */
  rowLock: Sql;
  /** True if lookups ignore the case of short codes. */
  foldsCase: boolean;
}

export interface Transaction {
  run: Run;
  makeLinks: MakeLinks;
  /** Charges up to `units` to an account's daily quota, as `QuotaStore.spend` does, but in this transaction. */
  charge(accountId: number, quota: QuotaName, units: number, max: number): Promise<ChargedQuota>;
}

export type MakeLinks = (links: LinkToMake[]) => Promise<LinkResult[]>;

export interface LinkToMake extends NewLink {
  accountId: number;
  keyId: number | null;
  /** Id of the API key if the key can access only its own links, or null for all other keys. */
  ownKeyId: number | null;
  createdAt: number;
}

export interface LinkResult {
  tried: string[];
  made: StoredLink | null;
}
