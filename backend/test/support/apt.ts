import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MINUTE = 60_000;
const LOCK = join(tmpdir(), 'terse-apt.lock');

/**
 * Installs a package of Debian's or Ubuntu's, where this is such a system and the tests run as root. A failure is only
 * told: what is still missing afterwards is named by whoever needs it.
 */
export function installPackage(name: string, log: (line: string) => void): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return;
  log(`Installing ${name} with apt-get …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = `apt-get -q -y update && apt-get -q -y --no-install-recommends install ${name}`;
  try {
    // One after another, since apt-get fails where another one runs, as it may for the next test.
    execFileSync('flock', [LOCK, 'sh', '-c', install], { env, timeout: 15 * MINUTE });
  } catch (error) {
    log((error as Error).message);
  }
}
