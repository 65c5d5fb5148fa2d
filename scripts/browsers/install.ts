import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Browser, detectBrowserPlatform, install, resolveBuildId } from '@puppeteer/browsers';
import { FIREFOX_CACHE, findChromium, findFirefox, missingPrograms } from './find.ts';

const MINUTE = 60_000;

export interface TestBrowsers {
  chromium: string;
  firefox: string;
}

/**
 * Programs for tests with native windows: a display, a simulated keyboard and mouse, and the clipboard. Only tests on
 * Linux need these programs.
 */
const DISPLAY_PROGRAMS = process.platform === 'linux' ? ['Xvfb', 'xdotool', 'xclip'] : [];

/**
 * Finds Chromium, Firefox and the display programs, and installs those that are missing. As root, it installs Debian
 * or Ubuntu packages. Otherwise it downloads Playwright's Chromium and Mozilla's Firefox. If neither works, it throws
 * an error with installation instructions.
 */
export async function provideBrowsers(log: (line: string) => void): Promise<TestBrowsers> {
  const system = linuxSystem();
  if (system && mayInstallPackages()) installPackages(await missingPackages(system), log);
  if (!findChromium()) await downloadChromium(log);
  if (!(await findFirefox())) await downloadFirefox(log);

  const chromium = findChromium();
  const firefox = await findFirefox();
  const missing = [
    ...(chromium ? [] : ['Chromium (or set TERSE_CHROMIUM to its path)']),
    ...(firefox ? [] : ['Firefox (or set TERSE_FIREFOX to its path)']),
    ...missingPrograms(...DISPLAY_PROGRAMS),
  ];
  if (!chromium || !firefox || missing.length > 0) throw new Error(missingProgramsMessage(missing, system));
  return { chromium, firefox };
}

function missingProgramsMessage(missing: string[], system: LinuxSystem | null): string {
  const packages = 'xvfb xdotool xclip';
  const advice = {
    debian: `Install them with: sudo apt-get install chromium firefox-esr ${packages}`,
    ubuntu: `Run: sudo apt-get install ${packages}; npx playwright-core install --with-deps chromium. Then install Firefox from mozilla.org, because Ubuntu's snaps cannot read the files of the tests`,
    other: `Install them with the package manager of this system${process.platform === 'linux' ? ` (${packages})` : ''}, or from chromium.org and mozilla.org`,
  }[system ?? 'other'];
  return `These programs for the end-to-end tests were not found and could not be downloaded: ${missing.join(', ')}. ${advice}.`;
}

type LinuxSystem = 'debian' | 'ubuntu';

/**
 * Returns null if the system is neither Debian nor Ubuntu. Ubuntu is a separate case, because its browser packages
 * install snaps.
 */
function linuxSystem(): LinuxSystem | null {
  if (process.platform !== 'linux' || missingPrograms('apt-get').length > 0) return null;
  return /^ID(_LIKE)?=.*ubuntu/m.test(readFileSync('/etc/os-release', 'utf8')) ? 'ubuntu' : 'debian';
}

function mayInstallPackages(): boolean {
  return linuxSystem() !== null && process.getuid?.() === 0;
}

async function missingPackages(system: LinuxSystem): Promise<string[]> {
  const display: Record<string, string> = { Xvfb: 'xvfb', xdotool: 'xdotool', xclip: 'xclip' };
  return [
    ...(system === 'debian' && !findChromium() ? ['chromium'] : []),
    ...(system === 'debian' && !(await findFirefox()) ? ['firefox-esr'] : []),
    ...missingPrograms(...DISPLAY_PROGRAMS).map((program) => display[program] ?? program),
  ];
}

/**
 * Installs packages with apt-get. A failed installation throws no error, because the caller then downloads the
 * browsers or reports what is missing.
 */
function installPackages(packages: string[], log: (line: string) => void): void {
  if (packages.length === 0) return;
  log(`Installing ${packages.join(', ')} with apt-get …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['-q', '-y', 'update'], 3 * MINUTE, log, env);
  run('apt-get', ['-q', '-y', '--no-install-recommends', 'install', ...packages], 15 * MINUTE, log, env);
}

async function downloadChromium(log: (line: string) => void): Promise<void> {
  if (!(await isReachable('https://cdn.playwright.dev/'))) return;
  log("Downloading Playwright's Chromium …");
  const withLibraries = mayInstallPackages() ? ['--with-deps'] : [];
  run('npx', ['--no', 'playwright-core', 'install', '--no-shell', ...withLibraries, 'chromium'], 10 * MINUTE, log);
}

async function downloadFirefox(log: (line: string) => void): Promise<void> {
  const platform = detectBrowserPlatform();
  if (!platform || !(await isReachable('https://archive.mozilla.org/'))) return;
  log("Downloading Mozilla's Firefox …");
  if (mayInstallPackages()) run('npx', ['--no', 'playwright-core', 'install-deps', 'firefox'], 10 * MINUTE, log);
  try {
    const buildId = await resolveBuildId(Browser.FIREFOX, platform, 'stable');
    await install({ browser: Browser.FIREFOX, buildId, platform, cacheDir: FIREFOX_CACHE });
  } catch (error) {
    log(`Firefox could not be downloaded: ${error instanceof Error ? error.message : error}`);
  }
}

/** True if a host responds. Without this check, a download on an offline machine would go through all its retries. */
async function isReachable(url: string): Promise<boolean> {
  try {
    await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(10_000) });
    return true;
  } catch {
    return false;
  }
}

function run(
  command: string,
  args: string[],
  timeout: number,
  log: (line: string) => void,
  env: NodeJS.ProcessEnv = process.env,
): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout, env });
  if (status === 0) return;
  log(`${command} ${args.join(' ')} failed: ${error?.message ?? `${stdout}\n${stderr}`.trim().slice(-2000)}`);
}
