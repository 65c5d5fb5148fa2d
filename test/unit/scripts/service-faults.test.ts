import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkHistory } from '../../../scripts/check-request-history.ts';
import { recordRun } from '../../../scripts/torture/service-faults/record-run.ts';
import { tempFolder } from '../../e2e/harness/folders.ts';

// With this seed, the service is killed twice, then suspended, then its clock shows midnight.
const SEED = 122;

// A busy machine needs long to start the service again.
test('the history of a service under faults shows that it keeps its promises', { timeout: 240_000 }, async () => {
  const file = join(tempFolder('history'), 'calls.jsonl');
  writeFileSync(file, '');
  const text = await recordRun({ database: 'sqlite', seed: SEED, faults: 4, file });
  expect(checkHistory(text).violations).toEqual([]);
  for (const fault of ['kill', 'suspend', 'clock']) expect(text).toContain(`"fault":"${fault}"`);
  expect(text).toContain('"error":"quota_exceeded"');
  // Each link was clicked before the last reading.
  expect(text).not.toContain('"clicks":0');
});
