import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Zippable, zipSync } from 'fflate';

/** Contents by path. Paths have slashes on every system. */
export type Files = Record<string, Uint8Array>;

// A zip stores local times, so the date's parts are fixed to write the same bytes in every time zone.
const MODIFIED = new Date(1980, 0, 1);

/** File mode of an ordinary readable file in a zip. Without it, unpacked files would not be readable. */
const READABLE = 0o100644 * 0x10000;

/** Reads the files of `folder`, or only those at or below the paths `only`. */
export function readFiles(folder: string, only = ['.']): Files {
  const paths = only.flatMap((path) => (statSync(join(folder, path)).isDirectory() ? within(folder, path) : [path]));
  return Object.fromEntries(paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path))]));
}

/**
 * Zips files, sorted by path, with a fixed date and nothing that depends on the machine: the same files give the same
 * bytes.
 */
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
