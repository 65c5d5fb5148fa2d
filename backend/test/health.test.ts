import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run, startServe } from './support/process.ts';

it('tells by its exit code whether the service takes requests', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'terse-health-'));
  const serving = await startServe(folder);
  const settings = { TERSE_LISTEN: new URL(serving.addresses.api).host };
  expect(await run(folder, ['health'], settings)).toEqual({ code: 0, stdout: '', stderr: '' });
  await serving.end('SIGTERM');
  const { code, stderr } = await run(folder, ['health'], settings);
  expect([code, stderr]).toEqual([1, `Nothing answers at ${serving.addresses.api}/readyz.\n`]);
  rmSync(folder, { recursive: true });
});
