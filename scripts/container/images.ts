import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MIGRATIONS = 'backend/src/store/migrations';

/** Builds the image for compose.yaml from this folder. */
export function imageOfToday(): void {
  build('.');
}

/** Builds the image from the last commit before the newest database migration. */
export function imageBefore(): void {
  const newest = git('ls-files', `${MIGRATIONS}/0*.ts`).trim().split('\n').at(-1) as string;
  const added = git('log', '--diff-filter=A', '--format=%H', '-1', '--', newest).trim();
  const folder = mkdtempSync(join(tmpdir(), 'terse-before-'));
  try {
    execFileSync('sh', ['-c', `git archive ${added}^ | tar -x -C "${folder}"`]);
    build(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function build(folder: string): void {
  // Uses the host's network, because some Docker engines cannot reach the package registry otherwise.
  execFileSync('docker', ['build', '--quiet', '--network=host', '--tag=terse', folder], { stdio: 'pipe' });
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' });
}
