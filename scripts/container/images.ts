import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MIGRATIONS = 'backend/src/store/migrations/steps';

/** Builds the image for compose.yaml from this folder. */
export function buildCurrentImage(): void {
  build('.');
}

/** Builds the image from the last commit before the newest database migration. */
export function buildPreviousImage(): void {
  const newest = git('ls-files', `${MIGRATIONS}/*.ts`).trim().split('\n').at(-1) as string;
  // With the option --follow, the commit is found even if the file was renamed later.
  const added = git('log', '--follow', '--diff-filter=A', '--format=%H', '-1', '--', newest).trim();
  const folder = mkdtempSync(join(tmpdir(), 'terse-before-'));
  try {
    execFileSync('sh', ['-c', `git archive ${added}^ | tar -x -C "${folder}"`]);
    build(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function build(folder: string): void {
  // Uses the host's network, because otherwise some Docker engines cannot reach the package registry.
  execFileSync('docker', ['build', '--quiet', '--network=host', '--tag=terse', folder], { stdio: 'pipe' });
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' });
}
