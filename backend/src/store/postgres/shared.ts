import { raw, type Sql } from 'sql-template-tag';
import type { Run, SharedDatabase } from '../shared/database.ts';
import type { Ask, Database } from './database.ts';
import { linkMaker } from './make-links.ts';

/** Statements that are asked seldom are not kept parsed: each is sent whole, and PostgreSQL plans it for its values. */
export function sharedDatabase(database: Database): SharedDatabase {
  const makeLinks = linkMaker(database);
  return {
    read: runBy(database.read),
    write: runBy(database.write),
    transaction: (work) =>
      database.transaction((ask) => work({ run: runBy(ask), makeLinks: (links) => makeLinks(ask, links) })),
    // Others may refer to the row meanwhile, which no more than reads its key.
    rowLock: raw('FOR NO KEY UPDATE'),
  };
}

function runBy(ask: Ask): Run {
  return <Row>({ text, values }: Sql) => ask<Row>({ name: '', text }, ...values);
}
