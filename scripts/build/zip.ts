import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Zippable, zipSync } from 'fflate';

// A zip holds local times: the parts are given, not an instant, so that every time zone writes the same ones.
const MODIFIED = new Date(1980, 0, 1);

/** Zips a folder's files, sorted by name, with one fixed date and no trace of the machine: same files, same bytes. */
export function zipFolder(folder: string): Uint8Array {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  const files: Zippable = {};
  for (const name of names) {
    files[name.replaceAll('\\', '/')] = [readFileSync(join(folder, name)), { mtime: MODIFIED, level: 9, os: 3 }];
  }
  return zipSync(files);
}
