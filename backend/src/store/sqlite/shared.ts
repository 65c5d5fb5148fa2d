import type { SQLInputValue } from 'node:sqlite';
import { empty, type Sql } from 'sql-template-tag';
import type { Run, SharedDatabase } from '../shared/database.ts';
import type { Database, WholeDatabase } from './database.ts';
import { linkMaker } from './make-links.ts';

/**
 * One statement joins the group that is committed next. A transaction of several runs on a connection of its own, so
 * that nobody who asks the first one meanwhile sees half of it.
 */
export function sharedDatabase(database: WholeDatabase): SharedDatabase {
  const { prepare, write, transactions } = database;
  const makeLink = linkMaker(transactions);
  const run = runOn(transactions);
  return {
    read: runOn(database),
    write: <Row>({ sql, values }: Sql) => write(() => prepare(sql).all(...(values as SQLInputValue[])) as Row[]),
    transaction: (work) => transactions.run(() => work({ run, makeLinks: async (links) => links.map(makeLink) })),
    rowLock: empty,
  };
}

function runOn({ prepare }: Pick<Database, 'prepare'>): Run {
  return async <Row>({ sql, values }: Sql) => prepare(sql).all(...(values as SQLInputValue[])) as Row[];
}
