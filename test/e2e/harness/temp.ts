import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
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
