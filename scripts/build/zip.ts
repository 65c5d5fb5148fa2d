import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Zippable, zipSync } from 'fflate';

/** Files by their paths, which have slashes on every system. */
export type Files = Record<string, Uint8Array>;

// A zip holds local times: the parts are given, not an instant, so that every time zone writes the same ones.
const MODIFIED = new Date(1980, 0, 1);

/** An ordinary file that everybody may read, in the form that zips keep; without it, unpacked files belong to no reader. */
const READABLE = 0o100644 * 0x10000;

/** The files of `folder`, or those of them that are, or are within, one of the paths `only`. */
export function readFiles(folder: string, only = ['.']): Files {
  const paths = only.flatMap((path) => (statSync(join(folder, path)).isDirectory() ? within(folder, path) : [path]));
  return Object.fromEntries(paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path))]));
}

/** Zips files, sorted by path, with one fixed date and no trace of the machine: same files, same bytes. */
export function zipFiles(files: Files): Uint8Array {
  const sorted: Zippable = {};
  for (const path of Object.keys(files).sort()) {
    sorted[path] = [files[path] ?? new Uint8Array(), { mtime: MODIFIED, level: 9, os: 3, attrs: READABLE }];
  }
  return zipSync(sorted);
}

function within(folder: string, path: string): string[] {
  const entries = readdirSync(join(folder, path), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, '.').length + 1));
}
