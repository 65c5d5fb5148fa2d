import { existsSync } from 'node:fs';
import { connect as connectPostgres, isThere, transactionsOn } from '../move/postgres-connection.ts';
import * as postgres from '../move/postgres-mark.ts';
import * as sqlite from '../move/sqlite-mark.ts';
import type { DatabaseAddress } from '../store/open.ts';
import { connect as connectSqlite } from '../store/sqlite/database.ts';
import { stepsIn } from '../store/sqlite/snapshot.ts';
import { StoreError } from '../store/store.ts';
import { nameDatabase } from './existing-database.ts';

/**
 * Lets a database be used again that was moved away.
 *
 * @throws StoreError where it was not moved away, or is not there
 */
export async function undoMove(address: DatabaseAddress): Promise<void> {
  nameDatabase(address);
  const wasMarked = address.engine === 'sqlite' ? unmarkFile(address.path) : await unmarkServer(address.url);
  if (!wasMarked) throw new StoreError('This database was not moved to another one. Nothing was done.');
}

function unmarkFile(path: string): boolean {
  if (!existsSync(path)) throw new StoreError(`There is no database ${path}.`);
  if (stepsIn(path).length === 0) return false;
  const connection = connectSqlite(path);
  try {
    connection.exec('BEGIN IMMEDIATE');
    const wasMarked = sqlite.unmarkMovedAway(connection);
    connection.exec('COMMIT');
    return wasMarked;
  } finally {
    connection.close();
  }
}

async function unmarkServer(url: string): Promise<boolean> {
  const { run, close } = await connectPostgres(url);
  try {
    if (!(await isThere(run, 'migrations'))) return false;
    return await transactionsOn(run)(() => postgres.unmarkMovedAway(run));
  } finally {
    await close();
  }
}
