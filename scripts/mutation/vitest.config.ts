import { globSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { GROUPS } from './groups.ts';

const { TERSE_MUTATION_GROUP = '' } = process.env;
const { tests } = GROUPS[TERSE_MUTATION_GROUP] ?? { tests: [] };

/** Configuration for the tests of one group. It starts no PostgreSQL server, because these tests do not need one. */
export default defineConfig({
  test: {
    include: tests.flatMap((glob) => globSync(glob)),
    setupFiles: ['scripts/test/setup.ts', 'test/gallery/stubbed.ts'],
    // Limits the time of tests that hang because of a mutant. Without a mutant, each of these tests takes less than a
    // second.
    testTimeout: 20_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 5_000 } },
    // Each property test checks only 10 random inputs, because most inputs execute the code under test.
    env: { TZ: 'UTC', TERSE_PROPERTY_RUNS: '10' },
    // Starting a process for each test file would take longer than running the tests in the file.
    isolate: false,
  },
});
