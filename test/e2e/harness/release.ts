import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { GECKO_ID } from '../../../scripts/build/manifest.ts';
import { withLoopbackGranted } from './extension-copy.ts';
import { tempFolder } from './temp.ts';

const RELEASES = new URL('../../fixtures/releases/', import.meta.url).pathname;

/**
 * Creates a folder with a released version and permission for loopback. The Firefox build gets the current extension
 * id, because an update needs the same id.
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
 * Replaces the build in an unpacked extension's folder, as an update does. The path stays the same, because Chromium
 * derives the extension's id, and so its data, from the path. No browser may use the folder meanwhile.
 */
export function replaceBuild(folder: string, build: string): void {
  rmSync(folder, { recursive: true });
  cpSync(build, folder, { recursive: true });
}

/** Higher than any released version. */
export const UPDATE_VERSION = '999.0.0';

/** Copies the build as a store would publish it: without a key, and with a version number higher than any release. */
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
