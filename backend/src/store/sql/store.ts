import type { ServingProcesses } from '../postgres/serving-processes.ts';
import { accountStore } from './account-queries.ts';
import { type AddClicks, clickStore } from './click-queries.ts';
import { createRequestStore } from './create-request.ts';
import type { Database } from './database.ts';
import { importStore } from './import-queries.ts';
import { keyStore } from './key-queries.ts';
import { quotaStore } from './limit-usage.ts';
import { linkStore } from './link-queries.ts';
import { monthStore } from './monthly-clicks.ts';
import { sessionStore } from './session-queries.ts';
import { uploadStore } from './upload-queries.ts';

/**
 * Access to the database, SQLite or PostgreSQL. The promise of a write resolves when the data is on disk. Times are in
 * milliseconds since January 1, 1970.
 */
export interface Store extends ReturnType<typeof createStore> {
  /** Null if only one process can use the database. */
  servingProcesses: ServingProcesses | null;
  close(): Promise<void>;
}

/** Creates the parts of the store that are the same for both databases. */
export function createStore(database: Database, addClicks: AddClicks) {
  return {
    accounts: accountStore(database),
    sessions: sessionStore(database),
    imports: importStore(database),
    uploads: uploadStore(database),
    keys: keyStore(database),
    links: linkStore(database),
    createRequests: createRequestStore(database),
    quotas: quotaStore(database),
    clicks: clickStore(database, addClicks),
    months: monthStore(database),
  };
}
