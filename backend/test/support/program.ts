import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackage } from './apt.ts';

/** Where packages put what only administrators run; PATH often lacks it. */
const MORE_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'];

/**
 * The path of a program that the system's package of the same name brings along. Root on Debian or Ubuntu gets the
 * package where it is not installed.
 *
 * @throws where there is none and none can be had: a test that needs it must not pass without
 */
export function provideProgram(name: string): string {
  const found = find(name);
  if (found) return found;
  installPackage(name, (line) => process.stderr.write(`${line}\n`));
  const installed = find(name);
  if (installed) return installed;
  throw new Error(`This test needs ${name}. On Debian and Ubuntu: sudo apt-get install ${name}`);
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
