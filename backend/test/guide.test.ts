import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { ERROR_STATUS } from '@terse/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { awayFromMidnight } from './support/clock.ts';
import { compareAnswer, examplesOf } from './support/guide.ts';
import type { ServeProcess } from './support/process.ts';
import { installPackage } from './support/program.ts';
import { folderForFile } from './support/test-folder.ts';

const GUIDE = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
const EXAMPLES = examplesOf(GUIDE);

const folder = folderForFile();
let serving: ServeProcess;
let environment: Record<string, string | undefined>;
beforeAll(async () => {
  provideCurl();
  await awayFromMidnight();
  serving = await folder.serve({
    TERSE_BASE_URL: 'https://terse.example',
    TERSE_SHORT_BASE_URL: 'https://t.example',
  });
  const quick = ['--throttle', '1000', '--quota', '1000'];
  const { stdout } = await folder.run(['keys', 'create', '--name', 'laptop', ...quick]);
  environment = { ...process.env, TERSE: serving.addresses.api, KEY: stdout.trim() };
}, 10 * 60_000);

/** The examples use curl, which minimal systems lack. */
function provideCurl(): void {
  const isThere = () => spawnSync('curl', ['--version']).status === 0;
  if (!isThere()) installPackage('curl', (line) => process.stderr.write(`${line}\n`));
  if (!isThere()) throw new Error('The examples of docs/api.md need curl. Install it (sudo apt-get install curl).');
}

describe('docs/api.md', () => {
  it('has a response under every command', () => {
    expect(EXAMPLES.length).toBeGreaterThan(5);
    for (const { command, form } of EXAMPLES) expect(['json', 'http'], command).toContain(form);
  });

  // The examples run in order, because later examples use the links of earlier ones.
  it.each(EXAMPLES.map((example) => [example.command, example] as const))(
    'shows the actual response to %s',
    async (_, example) => {
      const options = { cwd: folder.path, env: environment };
      const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', example.command], options);
      compareAnswer(example, stdout);
    },
  );

  it('lists every error with its status', () => {
    const rows = [...GUIDE.matchAll(/^\| `(\w+)` +\| (\d{3}) +\| [^|]+ \|$/gm)];
    expect(rows.map(([, code, status]) => [code, Number(status)])).toEqual(Object.entries(ERROR_STATUS));
  });
});
