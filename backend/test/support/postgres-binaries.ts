import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackage } from './apt.ts';

/**
 * The folder of PostgreSQL's programs: TERSE_POSTGRES_BIN, or where packages put them, or wherever PATH leads. Root on
 * Debian or Ubuntu gets the system's package where there is none.
 *
 * @throws where there is none and none can be had: a test that needs it must not pass without
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

/** Homebrew keeps versioned formulae out of PATH. */
function homebrew(): string[] {
  return ['/opt/homebrew/opt', '/usr/local/opt'].flatMap((folder) =>
    list(folder)
      .filter((name) => name.startsWith('postgresql'))
      .map((name) => join(folder, name, 'bin')),
  );
}

/** Debian's layout, the newest version first. */
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
