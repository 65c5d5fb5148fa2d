import { readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../files/atomic-file.ts';
import { lockFile, type Unlock } from '../../files/file-lock.ts';
import { StoreError } from '../interface/store.ts';
import { refuseHardLinks, unusable } from './sqlite-connection.ts';

/** Maximum number of symbolic links that are followed, as on Linux. */
const MAX_SYMLINKS = 40;

/**
 * Returns the real path of a file, even if the file does not exist yet. All symbolic links to it have the same
 * result.
 *
 * @throws StoreError if it cannot be determined
 */
export function locationOf(path: string): string {
  try {
    makeFolder(dirname(path));
    let location = path;
    for (let links = 0; links < MAX_SYMLINKS; links += 1) {
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

/**
 * Returns the target of a symbolic link. Returns any other path unchanged.
 *
 * @throws StoreError if it cannot be read
 */
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
    // EINVAL: not a link. ENOENT: no such file.
    if (['EINVAL', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/**
 * Claims a SQLite file for this process, because two serving processes would block each other's writes. Short
 * commands need no claim.
 *
 * @returns a function that releases the claim; it also ends with the process
 * @throws StoreError if another process has claimed the file, or the file has two names
 */
export function claimDatabase(path: string, now: number): Unlock {
  refuseHardLinks(path);
  const location = locationOf(path);
  const owner = `${location}-served-by`;
  const unlock = locked(path, `${location}-lock`);
  if (!unlock) {
    throw new StoreError(
      `The database ${path} is already served by ${nameIn(owner)}. Only one process can serve a SQLite file. Stop that process first, or use PostgreSQL.`,
    );
  }
  attempt(() => writeFileSync(owner, `process ${process.pid} on ${hostname()}, since ${new Date(now).toISOString()}`));
  return () => {
    attempt(() => rmSync(owner, { force: true }));
    unlock();
  };
}

/** Ignores a full or read-only disk. The lock works without the owner's name. */
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

/** Returns the owner's name from the file. The owner writes it shortly after it got the lock. */
function nameIn(owner: string): string {
  try {
    return readFileSync(owner, 'utf8') || UNNAMED;
  } catch {
    return UNNAMED;
  }
}
