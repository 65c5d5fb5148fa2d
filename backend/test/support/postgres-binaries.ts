import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackage } from './apt.ts';

/**
 * Returns the folder with PostgreSQL's programs: TERSE_POSTGRES_BIN, the folder of a package, or the one in PATH. As
 * root on Debian or Ubuntu, installs the package if it is missing.
 *
 * @throws if PostgreSQL is missing and cannot be installed, so that no test is skipped silently
 */
export function providePostgres(log: (line: string) => void): string {
  const found = findPostgres();
  if (found) return found;
  if (process.env.TERSE_POSTGRES_BIN) {
    throw new Error(`TERSE_POSTGRES_BIN is ${process.env.TERSE_POSTGRES_BIN}, but initdb and postgres are not there.`);
  }
  installPackage('postgresql', log);
  const installed = findPostgres();
  if (installed) return installed;
  const advice = process.platform === 'darwin' ? 'brew install postgresql@17' : 'sudo apt-get install postgresql';
  throw new Error(
    `The tests need PostgreSQL's programs, initdb and postgres, and they are nowhere to be found. Install them (${advice}), or set TERSE_POSTGRES_BIN to their folder.`,
  );
}

function findPostgres(): string | undefined {
  const { TERSE_POSTGRES_BIN: given, PATH = '' } = process.env;
  const folders = given ? [given] : [...versions('/usr/lib/postgresql'), ...homebrew(), ...PATH.split(delimiter)];
  return folders.find((folder) => isExecutable(join(folder, 'initdb')) && isExecutable(join(folder, 'postgres')));
}

/** Homebrew does not add versioned formulae to PATH. */
function homebrew(): string[] {
  return ['/opt/homebrew/opt', '/usr/local/opt'].flatMap((folder) =>
    list(folder)
      .filter((name) => name.startsWith('postgresql'))
      .map((name) => join(folder, name, 'bin')),
  );
}

/** Returns the folders of Debian's PostgreSQL packages, newest version first. */
function versions(folder: string): string[] {
  return list(folder)
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(folder, version, 'bin'));
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
