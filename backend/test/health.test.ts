import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { freePort } from './support/raw.ts';
import { folderForEach } from './support/test-folder.ts';

const folder = folderForEach();

const HEALTH = new URL('../src/healthcheck.ts', import.meta.url).href;

it('the health check loads only the modules that it needs', async () => {
  const loaded = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    `process.env.TERSE_LISTEN = '127.0.0.1:1';
     const { registerHooks } = await import('node:module');
     registerHooks({ load: (url, context, next) => { console.log(url); return next(url, context); } });
     await import(${JSON.stringify(HEALTH)});
     process.exitCode = 0;`,
  ]);
  const files = loaded.stdout.split('\n').filter((line) => line.startsWith('file:'));
  expect(files.map((url) => url.replace(/.*\/backend\//, ''))).toEqual([
    'src/healthcheck.ts',
    'src/http/listen-address.ts',
  ]);
});

it.each([['main.ts', 'health'], ['healthcheck.ts']])(
  'the exit code of %s tells if the service accepts requests',
  async (program, ...args) => {
    const settings = { TERSE_LISTEN: `127.0.0.1:${await freePort()}` };
    const serving = await folder.serve(settings);
    expect(await folder.run(args, settings, program)).toEqual({ code: 0, stdout: '', stderr: '' });
    await serving.end('SIGTERM');
    const { code, stderr } = await folder.run(args, settings, program);
    expect([code, stderr]).toEqual([1, `${serving.addresses.api}/readyz does not respond.\n`]);
  },
);
