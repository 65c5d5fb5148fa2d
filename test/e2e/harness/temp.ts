import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];
process.on('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** A new empty folder, removed when this process ends. Its real path: an extension's id is made from it. */
export function tempFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `terse-${name}-`)));
  made.push(folder);
  return folder;
}
