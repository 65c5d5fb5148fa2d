import { empty } from 'sql-template-tag';
import type { Clock } from '../../domain/clock-and-random.ts';
import type { ClickStore } from '../interface/click-store.ts';
import type { Store } from '../interface/store.ts';
import { createWriteLock, type WriteLock } from '../interface/write-lock-between-threads.ts';
import { accountStore, sessionStore } from '../sql/account-queries.ts';
import { createRequestStore } from '../sql/create-request.ts';
import { importStore } from '../sql/import-queries.ts';
import { keyStore } from '../sql/key-queries.ts';
import { quotaStore } from '../sql/limit-usage.ts';
import { linkStore } from '../sql/link-queries.ts';
import { monthStore } from '../sql/monthly-clicks.ts';
import type { SharedDatabase } from '../sql/sql-runner.ts';
import { uploadStore } from '../sql/upload-queries.ts';
import { clickStore } from './click-counts.ts';
import { joinDatabase, openDatabase, type WholeDatabase } from './sqlite-connection.ts';

function sharedDatabase({ read, transaction }: WholeDatabase, clock: Clock, foldsCase: boolean): SharedDatabase {
  return {
    read,
    write: (statement) => transaction((run) => run(statement)),
    transaction: (work) => transaction((run) => work({ run })),
    rowLock: empty,
    now: async () => clock(),
    foldsCase,
  };
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
    uploads: uploadStore(shared),
    keys: keyStore(shared),
    links: linkStore(shared),
    createRequests: createRequestStore(shared),
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
