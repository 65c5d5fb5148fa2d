import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackage } from './apt.ts';

/** Folders with programs for administrators, which PATH often lacks. */
const MORE_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'];

/**
 * Returns the path of a program. As root on Debian or Ubuntu, installs its package if it is missing.
 *
 * @param fromPackage name of the package if it differs from the name of the program
 * @throws if the program is missing and cannot be installed, so that no test is skipped silently
 */
export function provideProgram(name: string, fromPackage = name): string {
  const found = find(name);
  if (found) return found;
  installPackage(fromPackage, (line) => process.stderr.write(`${line}\n`));
  const installed = find(name);
  if (installed) return installed;
  throw new Error(`This test needs ${name}. On Debian and Ubuntu: sudo apt-get install ${fromPackage}`);
}

function find(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...MORE_FOLDERS];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
