import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Browser, getInstalledBrowsers } from '@puppeteer/browsers';
import { chromium as playwrightChromium } from 'playwright-core';

/** Oldest browser versions that the manifests allow. */
const OLDEST = { chromium: 140, firefox: 140 };

/** Folder of downloaded Firefox builds. Puppeteer uses the same folder. */
const FIREFOX_CACHE = join(homedir(), '.cache', 'puppeteer');

/**
 * Returns the path of a Chromium that starts on this computer, or null. The environment variable `TERSE_CHROMIUM`
 * overrides the search. Google Chrome comes last, because it ignores the flag that loads extensions.
 */
export function findChromium(): string | null {
  return firstUsable('TERSE_CHROMIUM', OLDEST.chromium, [
    ...onPath('chromium', 'chromium-browser'),
    playwrightChromium.executablePath(),
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
    ...onPath('google-chrome-stable', 'google-chrome'),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ]);
}

/** Returns the path of a Chromium that starts on this computer. Throws if there is none. */
export function requireChromium(): string {
  const path = findChromium();
  if (!path) throw new Error('Chromium was not found. Run `npm test` to install it.');
  return path;
}

/**
 * Returns the path of a usable Firefox on this computer, or null if none is found. If the environment variable
 * `TERSE_FIREFOX` contains a path, checks only this path.
 */
export async function findFirefox(): Promise<string | null> {
  const downloaded = await getInstalledBrowsers({ cacheDir: FIREFOX_CACHE });
  return firstUsable('TERSE_FIREFOX', OLDEST.firefox, [
    ...onPath('firefox', 'firefox-esr', 'firefox-developer-edition'),
    ...downloaded.filter(({ browser }) => browser === Browser.FIREFOX).map((build) => build.executablePath),
    '/Applications/Firefox.app/Contents/MacOS/firefox',
    '/Applications/Firefox Developer Edition.app/Contents/MacOS/firefox',
  ]);
}

export function missingPrograms(...names: string[]): string[] {
  return names.filter((name) => onPath(name).length === 0);
}

function firstUsable(variable: string, oldest: number, candidates: string[]): string | null {
  const named = process.env[variable];
  if (named) {
    const problem = unusable(named, oldest);
    if (problem) throw new Error(`The browser in ${variable} (${named}) cannot be used: ${problem}.`);
    return named;
  }
  return candidates.find((path) => unusable(path, oldest) === null) ?? null;
}

function unusable(path: string, oldest: number): string | null {
  if (!existsSync(path)) return 'the file does not exist';
  // Browsers in snap packages cannot read /tmp or hidden folders, so they cannot open a test's profile or extension.
  if (isSnap(path)) return 'it is a snap, and snaps cannot read the files of the tests';
  const { status, stdout, error } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  if (error || status !== 0) return 'it does not start';
  const major = Number(/(\d+)\.\d/.exec(stdout)?.[1]);
  if (!(major >= oldest)) return `version ${oldest} or later is required, but it is "${stdout.split('\n')[0]}"`;
  return null;
}

function isSnap(path: string): boolean {
  const real = realpathSync(path);
  if (real.startsWith('/snap/') || real.endsWith('/snap')) return true;
  const isScript = statSync(real).size < 64_000;
  return isScript && readFileSync(real, 'utf8').includes('/snap/');
}

function onPath(...names: string[]): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name)).filter(isExecutable));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
