import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from './temp.ts';

const DIST = new URL('../../../dist/', import.meta.url).pathname;

export const SHIPPED = { chrome: join(DIST, 'chrome'), firefox: join(DIST, 'firefox') };

/**
 * Copies the build and adds permission for loopback to the manifest, because a headless browser shows no permission
 * dialog. Nothing else changes.
 *
 * @param permissions other permissions to grant at installation
 */
export function withLoopbackGranted(folder: string, permissions: string[] = []): string {
  const copy = tempFolder('extension');
  cpSync(folder, copy, { recursive: true });
  const file = join(copy, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const isLoopback = (pattern: string) => pattern.startsWith('http://');
  manifest.host_permissions = manifest.optional_host_permissions.filter(isLoopback);
  manifest.permissions.push(...permissions);
  writeFileSync(file, JSON.stringify(manifest));
  return copy;
}
