import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test.each([
  ['bench/index.ts', '--help', 'npm run bench -- [--quick]'],
  ['scripts/torture.ts', '--help', 'npm run torture -- [options]'],
  ['scripts/mutation.ts', '--help', 'npm run mutation -- [--all] [GROUP ...]'],
  ['scripts/start.ts', '--bogus', 'npm start -- [--no-browser]'],
  ['scripts/dev.ts', '--bogus', 'npm run dev -- [--firefox] [--no-browser]'],
  ['scripts/screenshots.ts', '--help', 'npm run screenshots -- [--dashboard | --store] [STATE [LANGUAGE]]'],
  ['scripts/check-request-history.ts', 'missing.jsonl', 'npm run check-history FILE'],
])('%s explains its usage if its argument is %s', (script, argument, usage) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, argument], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain(argument);
  expect(stderr).toContain(usage);
  expect(stderr).not.toContain('    at ');
});
