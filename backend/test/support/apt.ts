import { execFileSync } from 'node:child_process';

const MINUTE = 60_000;

/**
 * Installs a package of Debian's or Ubuntu's, where this is such a system and the tests run as root. A failure is only
 * told: what is still missing afterwards is named by whoever needs it.
 */
export function installPackage(name: string, log: (line: string) => void): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return;
  log(`Installing ${name} with apt-get …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    execFileSync('apt-get', ['-q', '-y', 'update'], { env, timeout: 3 * MINUTE });
    execFileSync('apt-get', ['-q', '-y', '--no-install-recommends', 'install', name], { env, timeout: 15 * MINUTE });
  } catch (error) {
    log((error as Error).message);
  }
}
