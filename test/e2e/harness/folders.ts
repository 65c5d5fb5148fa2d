import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];
process.on('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/**
 * Creates an empty folder and deletes it when this process ends. Returns the real path without symbolic links,
 * because Chromium derives the extension's id from this path.
 */
export function tempFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `terse-${name}-`)));
  made.push(folder);
  return folder;
}

const DIST = new URL('../../../dist/', import.meta.url).pathname;

/** Folders of the built extension. */
export const SHIPPED = { chrome: join(DIST, 'chrome'), firefox: join(DIST, 'firefox') };

/** Path of the welcome page in the build, and in the URL of the page. */
export const WELCOME = 'src/pages/welcome/';

/** Copies a build of the extension, so that a test can change it. */
export function copyOf(build: string): string {
  const copy = tempFolder('extension');
  cpSync(build, copy, { recursive: true });
  return copy;
}

/**
 * Copies a build and adds permission for loopback to the manifest, because a headless browser shows no permission
 * dialog. Nothing else changes.
 *
 * @param permissions other permissions to grant at installation
 */
export function withLoopbackGranted(build: string, permissions: string[] = []): string {
  const copy = copyOf(build);
  const file = join(copy, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const isLoopback = (pattern: string) => pattern.startsWith('http://');
  manifest.host_permissions = manifest.optional_host_permissions.filter(isLoopback);
  manifest.permissions.push(...permissions);
  writeFileSync(file, JSON.stringify(manifest));
  return copy;
}
