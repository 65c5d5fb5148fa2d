import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ShortenAnswer } from '@terse/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backendEnvironment, MAIN } from '../../scripts/backend-process.ts';
import { makeDatabase } from './support/process.ts';
import { freePort } from './support/raw.ts';
import { post } from './support/service.ts';
import { folderForEach } from './support/test-folder.ts';

const folder = folderForEach();
let shell: ChildProcess | null = null;
beforeEach(async () => {
  writeFileSync(folder.file('serve.sh'), SERVE);
  await makeDatabase(folder.path);
});
afterEach(() => {
  if (existsSync(folder.file('pid')) && !existsSync(folder.file('code'))) process.kill(servicePid(), 'SIGKILL');
  shell?.kill('SIGKILL');
});

/** Script that runs the service, and writes its process ID and later its exit code to files. */
const SERVE = `sh -c 'echo $$ > pid; exec "$0" "$1" serve' '${process.execPath}' '${MAIN}' < /dev/null
echo $? > code.new
mv code.new code
`;

/** Script that runs the service in a terminal, and closes the terminal before the service starts. */
const CLOSED_TERMINAL = `
  background='touch detached; until [ -e closed ]; do sleep 0.01; done; exec sh serve.sh'
  script --quiet --command "setsid sh -c '$background' & until [ -e detached ]; do sleep 0.01; done" /dev/null
  touch closed
`;

const servicePid = () => Number(readFileSync(folder.file('pid'), 'utf8'));
const exitCode = () => (existsSync(folder.file('code')) ? Number(readFileSync(folder.file('code'), 'utf8')) : null);
const isHealthy = (address: string) =>
  fetch(`http://${address}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );

describe.runIf(process.platform === 'linux')('a service whose output cannot be written', () => {
  it.each([
    ['the log is on a full disk', 'sh serve.sh > /dev/null 2> /dev/full'],
    ['all output is on a full disk', 'sh serve.sh > /dev/full 2>&1'],
    ['the reader of the output has ended', 'sh serve.sh 2>&1 | head -1'],
    ['the terminal was closed', CLOSED_TERMINAL],
  ])('redirects and stops as usual if %s', async (_, script) => {
    const key = (await folder.run(['keys', 'create', '--name', 'laptop'])).stdout.trim();
    const [api, short] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
    const env = backendEnvironment({ TERSE_LISTEN: api, TERSE_SHORT_LISTEN: short, TERSE_THROTTLE: '1000' });
    shell = spawn('sh', ['-c', script], { cwd: folder.path, env, stdio: 'ignore' });
    await expect.poll(() => isHealthy(api)).toBe(true);

    for (let times = 0; times < 3; times += 1) {
      const made = await fetch(`http://${api}/api/shorten`, post(key, { url: 'https://example.com/' }));
      const { shortUrl } = ShortenAnswer.parse(await made.json());
      expect((await fetch(shortUrl, { redirect: 'manual' })).status).toBe(302);
    }
    process.kill(servicePid(), 'SIGTERM');
    await expect.poll(exitCode).toBe(0);
  });
});
