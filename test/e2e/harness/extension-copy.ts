import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from './temp.ts';

const DIST = new URL('../../../dist/', import.meta.url).pathname;

/** The built extension, exactly as it ships. */
export const SHIPPED = { chrome: join(DIST, 'chrome'), firefox: join(DIST, 'firefox') };

/**
 * A copy of the built extension whose permission to reach loopback is given at install, since nobody can answer the
 * browser's question where there is no screen. That is the copy's only difference.
 *
 * @param permissions others that are given at install for the same reason
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
