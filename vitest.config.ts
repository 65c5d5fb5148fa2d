import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/test/longest-first.ts';

// Tests start the backend hundreds of times; every process after the first finds it compiled.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('.cache/compiled', import.meta.url));

// Apart from vite.config.ts, so that the extension's build plugin stays out of the tests.
/** How long a condition may take to come true, in milliseconds. */
const PATIENCE = 20_000;

/**
 * Property tests play fixed seeds. Whoever waits for a condition waits long: a machine that is busy with other things fails
 * no test.
 */
const shared = {
  setupFiles: ['scripts/test/fixed-seed.ts', 'scripts/test/patience.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: PATIENCE } },
};

export default defineConfig({
  test: {
    // One more than there are processors: what waits for a process, a timer or a disk leaves its processor to another.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...shared, name: 'contract', include: ['contract/test/**/*.test.ts'] } },
      {
        // Once more, read by what the extension ships in zod's place.
        resolve: { alias: { 'zod/mini': fileURLToPath(new URL('contract/lean/zod-mini.ts', import.meta.url)) } },
        test: {
          ...shared,
          name: 'contract-lean',
          include: ['contract/test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'contract/test/lean.test.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'backend',
          include: ['backend/test/**/*.test.ts'],
          // A network of machines on the loopback device, and commands of a guide for Debian: no other system has them.
          exclude: [
            ...configDefaults.exclude,
            ...(process.platform === 'linux' ? [] : ['backend/test/{failover,deploy-guide,database-tls}.test.ts']),
          ],
          globalSetup: 'backend/test/support/postgres-setup.ts',
        },
      },
      {
        test: {
          ...shared,
          // What is asked over HTTP and ends in the store, once more, of the second engine.
          name: 'backend-postgres',
          include: [
            'backend/test/http/{analytics,authentication,batch,edit,idempotency,limits,links,list,minted-codes,redirect,scopes,shorten}.test.ts',
            'backend/test/dashboard/{account,budgets,edit-link,import,import-again,import-codes,keys,link,links,overview,selection,sign-in}.test.ts',
          ],
          globalSetup: 'backend/test/support/postgres-setup.ts',
          provide: { engine: 'postgres' },
        },
      },
      {
        test: {
          ...shared,
          name: 'extension',
          include: ['test/unit/**/*.test.{ts,tsx}'],
          // Sentences tell times of day, and whether they are tomorrow's.
          env: { TZ: 'UTC' },
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          // Native windows are driven through X: these tests belong to Linux.
          exclude: [...configDefaults.exclude, ...(process.platform === 'linux' ? [] : ['test/e2e/native/**'])],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Each file has browsers, profiles, displays and services of its own; a browser spends most of a test waiting.
          maxWorkers: 3,
          // By itself, after the others: a browser beside a busy machine's worth of them is no test of a browser.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
