import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Zippable, zipSync } from 'fflate';

/** File contents by path. Paths use slashes on every system. */
export type Files = Record<string, Uint8Array>;

// Zip files store local times, so the date is created in local time. This makes the bytes identical in all time
// zones.
const MODIFIED = new Date(1980, 0, 1);

/** Unix file mode `rw-r--r--`. A zip file stores this mode in the upper 16 bits of a file's attributes. */
const READABLE = 0o100644 * 0x10000;

/** Reads all files in `folder`. If `only` is given, reads only those paths and the files below them. */
export function readFiles(folder: string, only = ['.']): Files {
  const paths = only.flatMap((path) => (statSync(join(folder, path)).isDirectory() ? within(folder, path) : [path]));
  return Object.fromEntries(paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path))]));
}

/**
 * Creates a zip with sorted paths and a fixed date, so that the same files produce the same bytes on every machine.
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
