import { readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../files/atomic-file.ts';
import { lockFile, type Unlock } from '../../files/file-lock.ts';
import { StoreError } from '../interface/store.ts';
import { refuseSecondName, unusable } from './sqlite-connection.ts';

/** So many links in a row are followed, as Linux does. */
const MOST_LINKS = 40;

/** The same for every symbolic link that leads to the file, whether it is there yet or not. @throws StoreError */
export function locationOf(path: string): string {
  try {
    makeFolder(dirname(path));
    let location = path;
    for (let links = 0; links < MOST_LINKS; links += 1) {
      location = join(realpathSync(dirname(location)), basename(location));
      const target = linkTarget(location);
      if (target === null) return location;
      location = resolve(dirname(location), target);
    }
    throw Object.assign(new Error('Too many symbolic links.'), { code: 'ELOOP' });
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Where a file is that a symbolic link names; any other path as it is. @throws StoreError */
export function withoutLink(path: string): string {
  try {
    return linkTarget(path) === null ? path : locationOf(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch (error) {
    // It is no link, or nothing is there.
    if (['EINVAL', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

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
