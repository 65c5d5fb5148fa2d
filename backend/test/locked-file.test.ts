import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { post, startTestService, type TestService } from './support/service.ts';

let folder: string;
let terse: TestService;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'terse-locked-'));
  terse = await startTestService({ TERSE_DATABASE: `file:${join(folder, 'terse.db')}` });
});
afterAll(async () => {
  await terse.stop();
  rmSync(folder, { recursive: true });
});

it('the service redirects while another process locks the file, then completes the waiting create requests', async () => {
  const key = await terse.newKey({ throttle: 100_000, quota: 100 });
  const create = (shortCode: string) =>
    terse.ask('/api/v1/urls', post(key, { url: 'https://example.com/', shortCode }));
  expect((await create('kept')).status).toBe(201);

  const other = new DatabaseSync(join(folder, 'terse.db'));
  other.exec('BEGIN IMMEDIATE');
  terse.clock.now += 1;
  let created = 0;
  const creating = create('late').then(({ status }) => {
    created = status;
  });
  for (let at = 0; at < 20; at += 1) expect((await terse.visit('/kept')).status).toBe(302);
  expect((await terse.visit('/late')).status).toBe(404);
  expect(created).toBe(0);
  other.exec('ROLLBACK');
  other.close();
  await creating;
  expect(created).toBe(201);
  expect((await terse.visit('/late')).status).toBe(302);
});
