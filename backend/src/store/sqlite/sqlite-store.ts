import sql, { empty } from 'sql-template-tag';
import type { Clock } from '../../domain/clock-and-random.ts';
import { type ClickStore, sharedClickStore } from '../sql/click-queries.ts';
import type { SharedDatabase } from '../sql/sql-runner.ts';
import { type Store, sharedStores } from '../sql/store.ts';
import { openDatabase, type WholeDatabase } from './sqlite-connection.ts';

function sharedDatabase({ read, transaction }: WholeDatabase, clock: Clock, foldsCase: boolean): SharedDatabase {
  return {
    read,
    write: (statement) => transaction((run) => run(statement)),
    transaction: (work) => transaction((run) => work({ run })),
    rowLock: empty,
    now: async () => clock(),
    jsonRows: (rows) => sql`json_each(${JSON.stringify(rows)})`,
    lockCounting: async () => {},
    tryLockCounting: async () => true,
    foldsCase,
  };
}

/**
 * Opens a SQLite database. Only one server process may use the file at a time. Short commands, such as `links
 * delete`, may also write to the file.
 */
export function openSqliteStore(path: string, now: number, clock: Clock, foldsCase: boolean): Store {
  const database = openDatabase(path, now, foldsCase);
  const shared = sharedDatabase(database, clock, foldsCase);
  return {
    ...sharedStores(shared),
    clicks: clickStore(database, shared),
    servingProcesses: null,
    close: database.close,
  };
}

function clickStore({ clicks }: WholeDatabase, shared: SharedDatabase): ClickStore {
  const insert = clicks.prepare(`INSERT INTO waiting_clicks
    (link_id, at, visitor, bot, browser, system, device, referrer, country) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  return {
    ...sharedClickStore({ ...shared, transaction: (work) => clicks.transaction((run) => work({ run })) }),
    // The batch number is not needed, because a commit on this computer never loses its response.
    add: (batch) =>
      clicks.transaction(async () => {
        for (const click of batch.clicks) {
          const { link, at, visitor, bot, browser, system, device, referrer, country } = click;
          insert.run(link, at, visitor, Number(bot), browser, system, device, referrer, country);
        }
      }),
  };
}
