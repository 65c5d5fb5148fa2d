import type { SQLInputValue } from 'node:sqlite';
import { empty, type Sql } from 'sql-template-tag';
import type { Clock } from '../../domain/clock-and-random.ts';
import type { ClickStore } from '../interface/click-store.ts';
import type { Store } from '../interface/store.ts';
import { createWriteLock, type WriteLock } from '../interface/write-lock-between-threads.ts';
import { accountStore, quotaStore, sessionStore } from '../sql/account-queries.ts';
import { importStore } from '../sql/import-queries.ts';
import { keyStore } from '../sql/key-queries.ts';
import { linkStore } from '../sql/link-queries.ts';
import { monthStore } from '../sql/monthly-clicks.ts';
import type { Run, SharedDatabase } from '../sql/sql-runner.ts';
import { keyFinder, linkResolver } from './batched-lookups.ts';
import { clickStore } from './click-counts.ts';
import { createRequestStore, linkMaker, quotaCharger } from './create-request-transaction.ts';
import { type Database, joinDatabase, openDatabase, type WholeDatabase } from './sqlite-connection.ts';

/**
 * Returns functions that run SQL on a SQLite database. Single-statement writes are committed in groups. Transactions
 * use a separate connection, so that other reads do not see uncommitted data.
 */
export function sharedDatabase(database: WholeDatabase, clock: Clock, foldsCase: boolean): SharedDatabase {
  const { prepare, write, transactions } = database;
  const makeLink = linkMaker(transactions, foldsCase);
  const charge = quotaCharger(transactions, clock);
  const run = runOn(transactions);
  return {
    read: runOn(database),
    write: <Row>({ sql, values }: Sql) => write(() => prepare(sql).all(...(values as SQLInputValue[])) as Row[]),
    transaction: (work) =>
      transactions.run(() =>
        work({
          run,
          makeLinks: async (links) => links.map(makeLink),
          charge: async (...charged) => charge(...charged),
        }),
      ),
    rowLock: empty,
    foldsCase,
  };
}

function runOn({ prepare }: Pick<Database, 'prepare'>): Run {
  return async <Row>({ sql, values }: Sql) => prepare(sql).all(...(values as SQLInputValue[])) as Row[];
}

/**
 * Opens a SQLite database. Only one server process may use the file at a time. Short commands, such as `links
 * delete`, may also write to the file.
 */
export function openSqliteStore(path: string, now: number, clock: Clock, foldsCase: boolean): Store {
  const writeLock = createWriteLock();
  const database = openDatabase(path, now, writeLock, foldsCase);
  const shared = sharedDatabase(database, clock, foldsCase);
  return {
    accounts: accountStore(shared),
    sessions: sessionStore(shared),
    imports: importStore(shared),
    keys: { ...keyStore(shared), find: keyFinder(database) },
    links: { ...linkStore(shared), resolve: linkResolver(database, foldsCase) },
    createRequests: createRequestStore(database, clock, foldsCase),
    quotas: quotaStore(shared),
    clicks: clickStore(database),
    months: monthStore(shared, async () => clock()),
    servingProcesses: null,
    writeLock,
    close: database.close,
  };
}

/** Opens the click counts of an open database for use in another thread. Both threads share the write lock. */
export function openSqliteClicks(path: string, writeLock: WriteLock): { clicks: ClickStore; close(): Promise<void> } {
  const database = joinDatabase(path, writeLock);
  const clicks = clickStore(database);
  const apply: ClickStore['apply'] = (batch) => {
    // If several batches follow each other, only the last batch waits for the disk.
    database.setWaitsForDisk(!batch.hasMore);
    return clicks.apply(batch);
  };
  return { clicks: { ...clicks, apply }, close: database.close };
}
