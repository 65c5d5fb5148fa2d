import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SOURCES } from '../build/sources.ts';

/** Builds the extension for both browsers if a source has changed since the last build. */
export function buildIfNeeded(root: string): void {
  const newest = Math.max(...SOURCES.map((source) => lastChange(join(root, source))));
  for (const mode of ['chrome', 'firefox']) {
    const built = join(root, 'dist', mode, 'manifest.json');
    if (existsSync(built) && statSync(built).mtimeMs > newest) continue;
    const vite = join(root, 'node_modules', '.bin', 'vite');
    const { status } = spawnSync(vite, ['build', '--logLevel=warn', '--mode', mode], { cwd: root, stdio: 'inherit' });
    if (status !== 0) throw new Error(`The extension could not be built for ${mode}.`);
  }
}

/** Returns the time in milliseconds of the last change in a file or folder. Renaming counts as a change. */
function lastChange(path: string): number {
  const stat = statSync(path);
  const inside = stat.isDirectory() ? readdirSync(path).map((name) => lastChange(join(path, name))) : [];
  return Math.max(stat.mtimeMs, ...inside);
}
