import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Every module that a build of this entry holds, as it loads and later. */
async function modulesOf(entry: string): Promise<string[]> {
  const built = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: { write: false, rolldownOptions: { input: join(ROOT, entry) } },
  });
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  return outputs.flatMap((chunk) => (chunk.type === 'chunk' ? Object.keys(chunk.modules) : []));
}

test('the popup, which opens for one button, does not load what parses messages and answers', async () => {
  const popup = await modulesOf('src/popup/index.tsx');
  expect(popup).toContain(join(ROOT, 'src/queue/standing.ts'));
  expect(popup.filter((path) => path.includes('/zod/'))).toEqual([]);
  // Where it is needed it would be seen.
  expect((await modulesOf('src/background/index.ts')).some((path) => path.includes('/zod/'))).toBe(true);
});
