import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

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

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const MINUTE = 60_000;
const LOCK = join(tmpdir(), 'terse-apt.lock');

/**
 * Installs a package on Debian or Ubuntu if the tests run as root. An installation error is only logged, because the
 * caller reports the missing program.
 */
export function installPackage(name: string, log: (line: string) => void): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return;
  log(`Installing ${name} with apt-get …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = `apt-get -q -y update && apt-get -q -y --no-install-recommends install ${name}`;
  try {
    // apt-get fails if another apt-get is running. The lock makes installations wait for each other.
    execFileSync('flock', [LOCK, 'sh', '-c', install], { env, timeout: 15 * MINUTE });
  } catch (error) {
    log((error as Error).message);
  }
}

/**
 * Starts a watchdog process that survives the test process. When the test process dies for any reason, the watchdog
 * sends another process a signal and deletes a folder. The watchdog notices because its input pipe closes.
 */
export function watchdog(child: ChildProcess, signal: 'INT' | 'TERM' | 'KILL', folder: string): { end(): void } {
  const script = 'cat >/dev/null; kill -"$2" "$1"; while kill -0 "$1" 2>/dev/null; do sleep 0.1; done; rm -rf "$3"';
  const watch = spawn('/bin/sh', ['-c', script, 'sh', String(child.pid), signal, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Ends the whole process group, including `cat`.
  return { end: () => process.kill(-(watch.pid as number)) };
}
