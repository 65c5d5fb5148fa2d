import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canMount, writingOnlyTo } from './support/mounts.ts';
import { run, type ServeProcess, startServe } from './support/process.ts';
import { post } from './support/service.ts';

let folder: string;
let serving: ServeProcess | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'terse-read-only-'));
  mkdirSync(join(folder, 'data'));
});
afterEach(async () => {
  if (serving?.child.exitCode === null) await serving.end('SIGKILL');
  serving = null;
  rmSync(folder, { recursive: true });
});

describe.runIf(canMount)('on a file system that is read-only but for the data', () => {
  it('answers batches of the largest size', async () => {
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
});
