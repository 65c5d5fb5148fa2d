import { once } from 'node:events';
import { createServer } from 'node:net';
import { parseConnectionLink } from '@terse/contract';
import { expect, test } from 'vitest';
import { start } from './harness/start.ts';
import { tempFolder } from './harness/temp.ts';

function connectionIn(output: string) {
  const link = /http:\S+#key=\S+/.exec(output)?.[0] ?? '';
  return parseConnectionLink(link);
}

test('the first start prints a working connection link, Ctrl-C stops all processes, and later starts create no key', async () => {
  const folder = tempFolder('start');
  const first = start(folder);
  await first.untilPrinted('Press Ctrl-C to stop');
  const connection = connectionIn(first.output());
  expect(connection).not.toBeNull();
  const headers = { Authorization: `Bearer ${connection?.apiKey}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ url: 'https://example.com/' });
  const answer = await fetch(`${connection?.baseUrl}/api/shorten`, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);

  expect(await first.stop()).toBe(0);
  await expect(fetch(`${connection?.baseUrl}/healthz`)).rejects.toThrow();

  const second = start(folder);
  await second.untilPrinted('Press Ctrl-C to stop');
  // The dashboard has no account yet, so `npm start` prints a setup link.
  const [setupLink = ''] = /http:\S+\/welcome\/\S+/.exec(second.output()) ?? [];
  expect(first.output()).toContain('/welcome/');
  const fields = { name: 'Ada', password: 'correct horse battery', again: 'correct horse battery' };
  const sent = { method: 'POST', body: new URLSearchParams(fields), headers: { 'Sec-Fetch-Site': 'same-origin' } };
  expect((await fetch(setupLink, { ...sent, redirect: 'manual' })).status).toBe(303);
  await second.stop();
  const third = start(folder);
  await third.untilPrinted('Press Ctrl-C to stop');
  expect(third.output()).not.toContain('/welcome/');
  expect(first.output()).toContain('#key=terse_');
  expect(second.output()).not.toContain('#key=terse_');
  expect(second.output()).toContain('npm run -s backend -- keys create --name');
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
