import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Rolldown } from 'vite';
import { describe, expect, test, vi } from 'vitest';
import { bundle } from '../../../scripts/build/bundle.ts';

// What ships is built for production; tests are not.
vi.stubEnv('NODE_ENV', 'production');
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const popup = await bundle(ROOT, 'chrome140', [{ source: 'src/popup/index.tsx', script: 'popup.js' }]);
const background = await bundle(ROOT, 'chrome140', [{ source: 'src/background/index.ts', script: 'worker.js' }]);

const modulesOf = (chunks: Rolldown.OutputChunk[]) =>
  chunks.flatMap(({ modules }) => Object.keys(modules)).map((path) => path.replace(ROOT, ''));

/** The bytes, after gzip, of what is loaded at once. */
const weightOf = (chunks: Rolldown.OutputChunk[]) =>
  chunks.filter(({ isEntry }) => isEntry).reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).byteLength, 0);

describe('the popup, which opens for one button', () => {
  test('loads at most 27 KB of scripts', () => {
    expect(weightOf(popup)).toBeLessThanOrEqual(27_000);
    expect(weightOf(popup)).toBeGreaterThan(10_000);
  });

  test('does not load what parses answers', () => {
    const atOnce = modulesOf(popup.filter(({ isEntry }) => isEntry));
    expect(atOnce).toContain('src/queue/request-status.ts');
    expect(atOnce.filter((path) => path.includes('zod'))).toEqual([]);
  });

  test('loads what draws QR codes when one is asked for', () => {
    const holding = popup.filter((chunk) => modulesOf([chunk]).some((path) => path.includes('/uqr/')));
    expect(holding.map(({ isEntry }) => isEntry)).toEqual([false]);
  });
});

describe('the background, which starts dozens of times a day', () => {
  test('is one script of at most 29.5 KB', () => {
    expect(background).toHaveLength(1);
    expect(weightOf(background)).toBeLessThanOrEqual(29_500);
    expect(weightOf(background)).toBeGreaterThan(10_000);
  });

  test('reads answers without zod', () => {
    expect(modulesOf(background).filter((path) => path.includes('zod'))).toEqual(['contract/lean/zod-mini.ts']);
  });
});
