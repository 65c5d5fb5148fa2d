import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/test/longest-first.ts';

// Tests start the backend hundreds of times. Every process after the first uses the compiled code.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('.cache/compiled', import.meta.url));

// Separate from vite.config.ts, so that the extension's build plugin does not run in tests.
/** Maximum time until a condition becomes true, in milliseconds. Long, so that a busy machine fails no test. */
const CONDITION_TIMEOUT_MS = 20_000;

const isLinux = process.platform === 'linux';

/** Property tests use fixed seeds. */
const shared = {
  setupFiles: ['scripts/test/fixed-seed.ts', 'scripts/test/patience.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: CONDITION_TIMEOUT_MS } },
};

export default defineConfig({
  test: {
    // One more than there are processors, because tests often wait for a process, a timer or a disk.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...shared, name: 'contract', include: ['contract/test/**/*.test.ts'] } },
      {
        test: {
          ...shared,
          name: 'backend',
          include: ['backend/test/**/*.test.ts'],
          // Several machines on loopback, and commands of a guide for Debian, need Linux. Mounting disks also needs root.
          exclude: [
            ...configDefaults.exclude,
            ...(isLinux ? [] : ['backend/test/{failover,deploy-guide,database-tls}.test.ts']),
            ...(isLinux && process.getuid?.() === 0 ? [] : ['backend/test/{full-disk,read-only}.test.ts']),
          ],
          globalSetup: 'backend/test/support/postgres-setup.ts',
        },
      },
      {
        test: {
          ...shared,
          // Tests whose SQL differs between the engines run again on PostgreSQL. The suites in backend/test/store run on both.
          name: 'backend-postgres',
          include: [
            'backend/test/http/{analytics,authentication,batch,edit,idempotency,limits,links,list,minted-codes,redirect,scopes,shorten}.test.ts',
            'backend/test/dashboard/{import,links,overview,selection}.test.ts',
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
          // webextension-polyfill throws if it is loaded outside an extension.
          setupFiles: [...shared.setupFiles, 'test/gallery/stubbed.ts'],
          // Messages contain times of day.
          env: { TZ: 'UTC' },
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          // Native windows are controlled through X, so these tests need Linux.
          exclude: [...configDefaults.exclude, ...(isLinux ? [] : ['test/e2e/native/**'])],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Each file has its own browsers, profiles, displays and services, and they wait most of the time.
          maxWorkers: 3,
          // Runs after the other projects, because browsers on a busy machine are too slow to test.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
