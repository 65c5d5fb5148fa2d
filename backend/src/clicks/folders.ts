import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The folder of a journal, named after its database and itself, so that it is never counted into another database. */
export function journalFolder(directory: string, identity: string, journal: string): string {
  return join(directory, `${identity}-${journal}`);
}

/** The journals of a database that are in a directory. */
export function journalsIn(directory: string, identity: string): string[] {
  const prefix = `${identity}-`;
  return readdirSync(directory)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
}

/** Where unreadable segments of a journal are put: out of the way, but kept for a program that can read them. */
export function asidePath(folder: string): string {
  return join(asideDirectory(dirname(folder)), basename(folder));
}

/** Where those of all journals of a directory are put. */
export function asideDirectory(directory: string): string {
  return join(directory, 'unreadable');
}

export function segmentPath(folder: string, number: number): string {
  return join(folder, `${String(number).padStart(8, '0')}.clicks`);
}

/** Returns the numbers of the segments in a folder, oldest first. All but the newest are complete. */
export function segmentsIn(folder: string): number[] {
  // A service that starts on a full disk has no folder yet.
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => /^(\d{8,})\.clicks$/.exec(name)?.slice(1).map(Number) ?? [])
    .sort((one, two) => one - two);
}

/** How the names of folders begin in which backups hold journals. */
export const HOLD = '.backup-';

/** Whether a backup may be holding journals of a directory. */
export function isHeld(directory: string): boolean {
  return readdirSync(directory).some((name) => name.startsWith(HOLD));
}
