import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { recordRun, type Sabotage } from '../../../scripts/torture/service-faults/record-run.ts';
import { tempFolder } from '../../e2e/harness/folders.ts';
import { openBrokenProxy } from '../support/broken-proxy.ts';

// With this seed, the service is killed twice, then suspended, then its clock shows midnight.
const SEED = 122;

/** Time limit in milliseconds. A busy machine needs long to start the service again. */
const TIMEOUT = 240_000;

/** Records a run with a real service and lets the checker judge it, as `npm run check-history FILE` does. */
async function recordAndCheck(faults: number, sabotage?: Sabotage) {
  const file = join(tempFolder('history'), 'calls.jsonl');
  writeFileSync(file, '');
  const text = await recordRun({ database: 'sqlite', seed: SEED, faults, file, ...(sabotage && { sabotage }) });
  const outcome = ({ code = 0, stdout = '' }: { code?: number; stdout?: string }) => ({ code, stdout });
  const checked = promisify(execFile)(process.execPath, ['scripts/check-request-history.ts', file]);
  return { text, ...(await checked.then(outcome, outcome)) };
}

describe.concurrent('the history of a service under faults', { timeout: TIMEOUT }, () => {
  test('shows that the service keeps its promises', async () => {
    const { text, code, stdout } = await recordAndCheck(4);
    expect(stdout).toMatch(/^Run 1, sqlite, seed \d+: calls: .*\nAll rules hold\.\n$/);
    expect(code).toBe(0);
    for (const fault of ['kill', 'suspend', 'clock']) expect(text).toContain(`"fault":"${fault}"`);
    expect(text).toContain('"error":"quota_exceeded"');
    // Each link was clicked before the last reading.
    expect(text).not.toContain('"clicks":0');
  });

  test('shows doubled requests, lost clicks, wrong redirects and a quota that is too high', async () => {
    const { code, stdout } = await recordAndCheck(1, { extraQuota: 60, openProxy: openBrokenProxy });
    for (const rule of ['links', 'one-link-per-request', 'quota', 'clicks'])
      expect(stdout).toContain(`BROKEN ${rule}: `);
    expect(stdout).toMatch(/BROKEN links: .* leads to .*, but a click to https:\/\/example\.net\/\./);
    expect(stdout).toMatch(/\nViolations: \d+\.\n$/);
    expect(code).toBe(1);
  });
});
