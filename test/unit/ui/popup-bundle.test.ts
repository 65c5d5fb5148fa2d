import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { expect, test, vi } from 'vitest';
import { ALIASES } from '../../../scripts/build/aliases.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** What a build of an entry comes to: its chunks, with the modules of each, and whether the page loads it as it opens. */
async function chunksOf(entry: string, alias: Record<string, string> = ALIASES) {
  const built = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    resolve: { alias },
    build: {
      write: false,
      target: 'chrome140',
      modulePreload: { polyfill: false },
      rolldownOptions: { input: join(ROOT, entry) },
    },
  });
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  const chunks = outputs.filter((one) => one.type === 'chunk');
  const late = new Set(chunks.flatMap(({ dynamicImports }) => dynamicImports));
  return chunks.map(({ fileName, code, modules }) => ({
    code,
    modules: Object.keys(modules),
    atOnce: !late.has(fileName),
  }));
}

// What ships is built for production; tests are not.
vi.stubEnv('NODE_ENV', 'production');
const popup = await chunksOf('src/popup/index.tsx');
const atOnce = popup.filter((chunk) => chunk.atOnce);

test('the popup, which opens for one button, does not load what parses messages and answers', async () => {
  const modules = popup.flatMap((chunk) => chunk.modules);
  expect(modules).toContain(join(ROOT, 'src/queue/request-status.ts'));
  expect(modules.filter((path) => path.includes('/zod/'))).toEqual([]);
  // Where it is needed it would be seen.
  const background = await chunksOf('src/background/index.ts', {});
  expect(background.flatMap((chunk) => chunk.modules).some((path) => path.includes('/zod/'))).toBe(true);
});

test('what draws QR codes is loaded when one is asked for', () => {
  const holding = popup.filter(({ modules }) => modules.some((path) => path.includes('/uqr/')));
  expect(holding.map((chunk) => chunk.atOnce)).toEqual([false]);
});

test('what the popup loads as it opens weighs at most 25 KB', () => {
  const bytes = atOnce.reduce((sum, { code }) => sum + gzipSync(code).byteLength, 0);
  expect(bytes).toBeLessThanOrEqual(25_000);
  expect(bytes).toBeGreaterThan(10_000);
});
