import { accessSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installPackage } from './apt.ts';

/**
 * The environment of a process whose clock differs from everybody else's by so many seconds, by way of libfaketime
 * (the package `faketime` of Debian and Ubuntu). What measures durations goes on as it was.
 *
 * @throws where there is none and none can be had
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

/** Debian has it in a folder named after the machine's architecture. */
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
