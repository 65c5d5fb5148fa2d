import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writingOnlyTo } from './support/mounts.ts';
import { makeDatabase, run, type ServeProcess, startServe } from './support/process.ts';
import { post } from './support/service.ts';

let folder: string;
let serving: ServeProcess | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'terse-read-only-'));
  for (const name of ['data', 'elsewhere']) mkdirSync(join(folder, name));
});
afterEach(async () => {
  if (serving?.child.exitCode === null) await serving.end('SIGKILL');
  serving = null;
  rmSync(folder, { recursive: true });
});

describe('on a read-only file system with one writable folder', () => {
  it('the service responds to batches of the maximum size', async () => {
    const data = join(folder, 'data');
    const environment = { TERSE_DATABASE: `file:${data}/terse.db`, TERSE_THROTTLE: '1000' };
    serving = await startServe(folder, environment, writingOnlyTo(data));
    const key = (await run(folder, ['keys', 'create', '--name', 'a'], environment)).stdout.trim();
    const urls = Array.from({ length: 100 }, (_, at) => ({ url: `https://example.com/${at}/${'x'.repeat(500)}` }));
    for (let round = 0; round < 5; round += 1) {
      const answer = await fetch(`${serving.addresses.api}/api/v1/urls/batch`, post(key, { urls }));
      expect(answer.status, await answer.text()).toBe(207);
    }
  });

  it.each([['serve'], ['keys list'], ['keys create --name a'], ['backup b.db'], ['restore b.db'], ['accounts setup']])(
    'the command %s explains why it fails without a writable folder',
    async (command) => {
      const data = join(folder, 'data');
      await makeDatabase(folder);
      // A killed process leaves this file behind.
      writeFileSync(join(data, 'terse.db-lock'), '');
      const launcher = writingOnlyTo(join(folder, 'elsewhere'));
      const shell = `exec ${launcher.map((word) => `'${word}'`).join(' ')} "$@"`;
      const settings = { TERSE_DATABASE: `file:${data}/terse.db` };
      const { code, stderr } = await run(data, command.split(' '), settings, 'main.ts', shell);
      expect([code, stderr.trimEnd().split('\n')]).toEqual([1, [expect.stringMatching(/^\S.+\.$/)]]);
    },
  );
});
