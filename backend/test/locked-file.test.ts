import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { post, startTestService, type TestService } from './support/service.ts';
import { folderForFile } from './support/test-folder.ts';

const folder = folderForFile();
let terse: TestService;
beforeAll(async () => {
  terse = await startTestService({ TERSE_DATABASE: `file:${folder.file('terse.db')}` });
});
afterAll(() => terse.stop());

it('the service redirects while another process locks the file, then completes the waiting create requests', async () => {
  const key = await terse.newKey({ throttle: 100_000, quota: 100 });
  const create = (shortCode: string) =>
    terse.ask('/api/v1/urls', post(key, { url: 'https://example.com/', shortCode }));
  expect((await create('kept')).status).toBe(201);

  const other = new DatabaseSync(folder.file('terse.db'));
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
