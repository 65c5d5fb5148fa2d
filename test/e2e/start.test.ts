import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseConnectionLink } from '@terse/contract';
import { expect, test } from 'vitest';
import { tempFolder } from './harness/folders.ts';
import { start } from './harness/start.ts';

function connectionIn(output: string) {
  const link = /http:\S+#key=\S+/.exec(output)?.[0] ?? '';
  return parseConnectionLink(link);
}

test('starts print the same links until they were used, create no second key, and stop on Ctrl-C', async () => {
  const folder = tempFolder('start');
  const interrupted = start(folder);
  await interrupted.untilPrinted('Press Ctrl-C to stop');
  expect(await interrupted.stop()).toBe(0);
  const first = start(folder);
  await first.untilPrinted('Press Ctrl-C to stop');
  expect(first.output()).toContain('paste this connection link into its options page');
  const connection = connectionIn(first.output());
  expect(connection?.apiKey).toBe(connectionIn(interrupted.output())?.apiKey);
  const headers = { Authorization: `Bearer ${connection?.apiKey}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ url: 'https://example.com/' });
  const answer = await fetch(`${connection?.baseUrl}/api/shorten`, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  const [setupLink = ''] = /http:\S+\/welcome\/\S+/.exec(first.output()) ?? [];
  const fields = { name: 'Ada', password: 'correct horse battery', again: 'correct horse battery' };
  const sent = { method: 'POST', body: new URLSearchParams(fields), headers: { 'Sec-Fetch-Site': 'same-origin' } };
  expect((await fetch(setupLink, { ...sent, redirect: 'manual' })).status).toBe(303);
  expect(await first.stop()).toBe(0);
  await expect(fetch(`${connection?.baseUrl}/healthz`)).rejects.toThrow();

  const second = start(folder);
  await second.untilPrinted('Press Ctrl-C to stop');
  expect(second.output()).not.toMatch(/#key=terse_|\/welcome\//);
  expect(second.output()).toContain('/#key=KEY');
  expect(second.output()).toContain('npm run -s backend -- keys create --name');
  expect(readdirSync(join(folder, 'data'))).not.toContain('first-key');
  await second.stop();
});

test('a port that is already in use is reported with a solution', async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  const address = squatter.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const { ended, output } = start(tempFolder('start'), { TERSE_LISTEN: `127.0.0.1:${port}` });
  expect(await ended).toBe(1);
  expect(output()).toContain(`127.0.0.1:${port}`);
  expect(output()).toContain('TERSE_LISTEN');
  squatter.close();
});
