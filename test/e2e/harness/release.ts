import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { GECKO_ID } from '../../../scripts/build/manifest.ts';
import { withLoopbackGranted } from './extension-copy.ts';
import { tempFolder } from './temp.ts';

const RELEASES = new URL('../../fixtures/releases/', import.meta.url).pathname;

/**
 * A folder with a released version of the extension. It may reach loopback; and in Firefox it has the id of today, without
 * which nothing is its update.
 */
export function unpackRelease(version: string, browser: 'chrome' | 'firefox'): string {
  const folder = tempFolder('release');
  const files = unzipSync(readFileSync(join(RELEASES, version, `${browser}.zip`)));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  if (browser === 'firefox') {
    changeManifest(folder, (manifest) => {
      manifest.browser_specific_settings.gecko.id = GECKO_ID;
    });
  }
  return withLoopbackGranted(folder);
}

/**
 * Puts another build into the folder of an unpacked extension, as an update does. Chromium makes the id of an
 * extension without a key from the folder's path, so the new build has the data of the old one. Do it while no browser runs from the folder.
 */
export function replaceBuild(folder: string, build: string): void {
  rmSync(folder, { recursive: true });
  cpSync(build, folder, { recursive: true });
}

/** Above any release's. */
export const UPDATE_VERSION = '999.0.0';

/**
 * A copy of the build as a store hands it out, whose version is above any release's, so that browsers take it for an
 * update of one. It has no key of its own.
 */
export function asUpdate(build: string): string {
  const copy = withLoopbackGranted(build);
  changeManifest(copy, (manifest) => {
    delete manifest.key;
    manifest.version = UPDATE_VERSION;
  });
  return copy;
}

// biome-ignore lint/suspicious/noExplicitAny: a manifest of any version.
function changeManifest(folder: string, change: (manifest: any) => void): void {
  const file = join(folder, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  change(manifest);
  writeFileSync(file, JSON.stringify(manifest));
}
