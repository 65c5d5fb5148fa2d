import type { ClickStore } from '../click-store.ts';
import type { Store } from '../store.ts';
import { createWriteTurns, type WriteTurns } from '../write-turns.ts';
import { accountStore } from './accounts.ts';
import { clickStore } from './clicks.ts';
import { joinDatabase, openDatabase } from './database.ts';
import { importStore } from './imports.ts';
import { keyStore } from './keys.ts';
import { linkStore } from './links.ts';
import { sessionStore } from './sessions.ts';
import { submissionStore } from './submissions.ts';

/** Everything in one SQLite file. One process writes it at a time; others may briefly, such as the command line. */
export function openSqliteStore(path: string, now: number): Store {
  const turns = createWriteTurns();
  const database = openDatabase(path, now, turns);
  return {
    accounts: accountStore(database),
    sessions: sessionStore(database),
    imports: importStore(database),
    keys: keyStore(database),
    links: linkStore(database),
    submissions: submissionStore(database),
    clicks: clickStore(database),
    turns,
    close: database.close,
  };
}

/** The clicks of a database that is open, for another thread, which writes by turns with the first. */
export function openSqliteClicks(path: string, turns: WriteTurns): { clicks: ClickStore; close(): Promise<void> } {
  const database = joinDatabase(path, turns);
  return { clicks: clickStore(database), close: database.close };
}
