import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { withLoopbackGranted } from './extension-copy.ts';
import { tempFolder } from './temp.ts';

const RELEASES = new URL('../../fixtures/releases/', import.meta.url).pathname;

/** A folder with a released version of the extension, changed in one thing: it may reach loopback. */
export function unpackRelease(version: string, browser: 'chrome' | 'firefox'): string {
  const folder = tempFolder('release');
  const files = unzipSync(readFileSync(join(RELEASES, version, `${browser}.zip`)));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return withLoopbackGranted(folder);
}

/**
 * Puts another build into the folder of an unpacked extension, as an update does. Chromium makes an extension's id from
 * the folder's path, so the new build has the data of the old one. Do it while no browser runs from the folder.
 */
export function replaceBuild(folder: string, build: string): void {
  rmSync(folder, { recursive: true });
  cpSync(build, folder, { recursive: true });
}

/** Above any release's. */
export const UPDATE_VERSION = '999.0.0';

/** A copy of the build whose version is above any release's, so that browsers take it for an update of one. */
export function asUpdate(build: string): string {
  const copy = withLoopbackGranted(build);
  const file = join(copy, 'manifest.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), version: UPDATE_VERSION }));
  return copy;
}
