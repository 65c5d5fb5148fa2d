import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { ALL_TESTS } from './scripts/test/which-tests.ts';

// Tests start the backend hundreds of times. With this cache, only the first process compiles the code.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('.cache/compiled', import.meta.url));

/** Maximum time in milliseconds to wait for a condition. The limit is high enough for a busy machine. */
const CONDITION_TIMEOUT_MS = 20_000;

const isLinux = process.platform === 'linux';

/**
 * Options of projects whose test files share processes and the modules loaded there, because loading the modules again
 * for each file takes as long as many of the tests. A file that mocks a module must reset the modules before and after
 * its tests.
 */
const sharesProcesses = { isolate: false };

/** Options that all test projects share. The setup file gives property tests a fixed seed. */
const shared = {
  setupFiles: ['scripts/test/setup.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: CONDITION_TIMEOUT_MS } },
};

/** Options of the projects that test the extension. */
const ofExtension = {
  // The package webextension-polyfill throws if it is loaded outside an extension.
  setupFiles: [...shared.setupFiles, 'test/gallery/stubbed.ts'],
  // Messages contain times, so all tests run in the same time zone.
  env: { TZ: 'UTC' },
};

/**
 * Test files that take or wait longest. They run first, because a long file that starts last runs alone at the end.
 * Without results of an earlier run, Vitest runs the files by size.
 */
const LONGEST =
  /e2e\/(flows|flows-interrupted-\w+|gallery|native\/flows|spec-only)\.test|move\/move\.test|\/(simulation|service-faults)\.test/;

class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const isLater = ({ moduleId }: TestSpecification) => Number(!LONGEST.test(moduleId));
    return (await super.sort(specifications)).toSorted((one, other) => isLater(one) - isLater(other));
  }
}

/** Tests of the extension that mock no module. */
const WITHOUT_MOCKS = ['test/unit/{queue,scripts,servers,texts,urls}/**/*.test.ts'];

// This file is separate from vite.config.ts, so that tests run without the extension's build plugin.
export default defineConfig({
  test: {
    // More workers than processors, because tests often wait for a process, a timer or a disk.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...shared, ...sharesProcesses, name: 'contract', include: ['contract/test/**/*.test.ts'] } },
      {
        test: {
          ...shared,
          ...sharesProcesses,
          name: 'backend',
          include: ['backend/test/**/*.test.ts'],
          // The first tests need Linux for several loopback addresses, for a guide's Debian commands, or for strace.
          // The last test mounts disks, which needs Linux and root privileges.
          exclude: [
            ...configDefaults.exclude,
            ...(ALL_TESTS ? [] : ['backend/test/failover.test.ts']),
            ...(isLinux ? [] : ['backend/test/{database-connections,failover,guides,power-loss}.test.ts']),
            ...(isLinux && process.getuid?.() === 0 ? [] : ['backend/test/limited-disks.test.ts']),
          ],
          globalSetup: 'backend/test/support/postgres-setup.ts',
        },
      },
      {
        test: {
          ...shared,
          ...sharesProcesses,
          // Repeats tests on PostgreSQL if the tested code uses different SQL there. The suites in backend/test/store
          // always run on both databases.
          name: 'backend-postgres',
          include: ALL_TESTS
            ? [
                'backend/test/http/{analytics,authentication,batch,domains,limits,link-options,links,list,redirect,shorten}.test.ts',
                'backend/test/dashboard/{import,links,overview,selection,unusual-text}.test.ts',
              ]
            : ['backend/test/http/{batch,limits,redirect}.test.ts', 'backend/test/dashboard/import.test.ts'],
          globalSetup: 'backend/test/support/postgres-setup.ts',
          provide: { engine: 'postgres' },
        },
      },
      {
        test: {
          ...shared,
          ...ofExtension,
          name: 'extension',
          include: ['test/unit/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, ...WITHOUT_MOCKS],
        },
      },
      { test: { ...shared, ...ofExtension, ...sharesProcesses, name: 'extension-pure', include: WITHOUT_MOCKS } },
      {
        test: {
          ...shared,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          // Tests of native windows need Linux, because they control the windows through X.
          exclude: [...configDefaults.exclude, ...(isLinux ? [] : ['test/e2e/native/**'])],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Four workers can run even on two processors, because they wait most of the time. Each test file starts
          // its own browsers, profiles, displays and services, so the files do not disturb each other.
          maxWorkers: 4,
          // Runs after the other projects, because browsers are too slow while other tests use the processors.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
