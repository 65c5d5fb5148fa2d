import type { Store } from '../store.ts';
import { createWriteTurns } from '../write-turns.ts';
import { accountStore } from './accounts.ts';
import { clickStore } from './clicks.ts';
import { openDatabase } from './database.ts';
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
