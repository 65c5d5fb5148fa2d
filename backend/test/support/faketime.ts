import { accessSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installPackage } from './apt.ts';

/**
 * Returns environment variables for a process whose clock is wrong by `seconds`. The process uses libfaketime
 * (package `faketime` on Debian and Ubuntu). Monotonic clocks stay unchanged.
 *
 * @throws if libfaketime is missing and cannot be installed
 */
export function otherClock(seconds: number): Record<string, string> {
  const library = find() ?? installed();
  const offset = `${seconds < 0 ? '' : '+'}${seconds}s`;
  return { LD_PRELOAD: library, FAKETIME: offset, DONT_FAKE_MONOTONIC: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' };
}

function installed(): string {
  installPackage('faketime', () => {});
  const library = find();
  if (library) return library;
  throw new Error('This test needs libfaketime. On Debian and Ubuntu: sudo apt-get install faketime');
}

/** On Debian, the folder's name contains the machine's architecture. */
function find(): string | undefined {
  const folders = readdirSync('/usr/lib').map((name) => join('/usr/lib', name, 'faketime'));
  return folders.map((folder) => join(folder, 'libfaketimeMT.so.1')).find(exists);
}

function exists(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}
