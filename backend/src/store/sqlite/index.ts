import type { Clock } from '../../domain/clock.ts';
import type { ClickStore } from '../click-store.ts';
import { accountStore } from '../shared/accounts.ts';
import { importStore } from '../shared/imports.ts';
import { keyStore } from '../shared/keys.ts';
import { linkStore } from '../shared/links.ts';
import { monthStore } from '../shared/months.ts';
import { sessionStore } from '../shared/sessions.ts';
import type { Store } from '../store.ts';
import { createWriteLock, type WriteLock } from '../write-lock.ts';
import { budgetStore } from './budgets.ts';
import { clickStore } from './clicks.ts';
import { joinDatabase, openDatabase } from './database.ts';
import { keyFinder } from './find-keys.ts';
import { linkResolver } from './resolve.ts';
import { sharedDatabase } from './shared.ts';
import { submissionStore } from './submissions.ts';

/** Everything in one SQLite file. One process writes it at a time; others may briefly, such as the command line. */
export function openSqliteStore(path: string, now: number, clock: Clock): Store {
  const writeLock = createWriteLock();
  const database = openDatabase(path, now, writeLock);
  const shared = sharedDatabase(database);
  return {
    accounts: accountStore(shared),
    sessions: sessionStore(shared),
    imports: importStore(shared),
    keys: { ...keyStore(shared), find: keyFinder(database) },
    links: { ...linkStore(shared), resolve: linkResolver(database) },
    submissions: submissionStore(database, clock),
    budgets: budgetStore(database, clock),
    clicks: clickStore(database),
    months: monthStore(shared, async () => clock()),
    partitions: null,
    servingProcesses: null,
    writeLock,
    close: database.close,
  };
}

/** The clicks of a database that is open, for another thread, which shares the write lock with the first. */
export function openSqliteClicks(path: string, writeLock: WriteLock): { clicks: ClickStore; close(): Promise<void> } {
  const database = joinDatabase(path, writeLock);
  return { clicks: clickStore(database), close: database.close };
}
