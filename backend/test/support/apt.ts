import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
