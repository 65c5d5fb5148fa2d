import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { lockFile, type Unlock } from '../../files/file-lock.ts';
import { StoreError } from '../store.ts';
import { refuseSecondName, unusable } from './database.ts';
import { locationOf } from './location.ts';

/**
 * Claims a SQLite file for the process that serves it. Two would hold up each other's writes. Commands, which write a
 * little and end, need no claim.
 *
 * @returns gives the claim back; the system does where the process dies
 * @throws StoreError naming the process that has it, or where the file has two names
 */
export function claimDatabase(path: string, now: number): Unlock {
  refuseSecondName(path);
  const location = locationOf(path);
  const owner = `${location}-served-by`;
  const unlock = locked(path, `${location}-lock`);
  if (!unlock) {
    throw new StoreError(
      `The database ${path} is served already, by ${nameIn(owner)}. One process at a time serves a SQLite file: stop that one first, or use PostgreSQL.`,
    );
  }
  attempt(() => writeFileSync(owner, `process ${process.pid} on ${hostname()}, since ${new Date(now).toISOString()}`));
  return () => {
    attempt(() => rmSync(owner, { force: true }));
    unlock();
  };
}

/** The disk may be full or read-only. The lock holds without the name of its owner. */
function attempt(change: () => void): void {
  try {
    change();
  } catch {}
}

function locked(path: string, lock: string): Unlock | null {
  try {
    return lockFile(lock);
  } catch (error) {
    throw unusable(path, error);
  }
}

const UNNAMED = 'another process';

/** What its process wrote there. It writes it a moment after it has the lock. */
function nameIn(owner: string): string {
  try {
    return readFileSync(owner, 'utf8') || UNNAMED;
  } catch {
    return UNNAMED;
  }
}
