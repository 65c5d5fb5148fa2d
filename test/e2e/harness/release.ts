import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { GECKO_ID } from '../../../scripts/build/manifest.ts';
import { withLoopbackGranted } from './extension-copy.ts';
import { tempFolder } from './temp.ts';

const RELEASES = new URL('../../fixtures/releases/', import.meta.url).pathname;

/**
 * Creates a folder with a released version and permission for loopback. In Firefox it gets today's id, because an
 * update needs the same id.
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
 * Replaces the build in the folder of an unpacked extension, as an update does. Chromium derives the id of an
 * extension without a key from the folder, so the data stay. No browser may run from the folder.
 */
export function replaceBuild(folder: string, build: string): void {
  rmSync(folder, { recursive: true });
  cpSync(build, folder, { recursive: true });
}

/** Higher than any release's version. */
export const UPDATE_VERSION = '999.0.0';

/**
 * Copies the build as a store would publish it: without a key, and with a version that makes it an update of any
 * release.
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
