import { expect, it } from 'vitest';
import { freePort } from './support/raw.ts';
import { folderForEach } from './support/test-folder.ts';

const folder = folderForEach();

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
