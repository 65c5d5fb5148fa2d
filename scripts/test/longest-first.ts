import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The test files that take longest, in that order. Whatever runs last runs alone; where it is long, the other workers have
 * nothing to do meanwhile. A clone has no durations of an earlier run to go by, and sizes say little.
 */
export const LONGEST = [
  // With browsers.
  'test/e2e/flows-interrupted.test.ts',
  'test/e2e/gallery.test.ts',
  'test/e2e/spec-only.test.ts',
  'test/e2e/flows-pages.test.ts',
  'test/e2e/native/flows.test.ts',
  'test/e2e/dashboard-links.test.ts',
  'test/e2e/flows.test.ts',
  'test/e2e/dashboard.test.ts',
  'test/e2e/upgrade.test.ts',
  'test/e2e/dashboard-looks.test.ts',
  'test/e2e/ways-in.test.ts',
  'test/e2e/dashboard-imports.test.ts',
  'test/e2e/links.test.ts',
  'test/e2e/connect.test.ts',
  'test/e2e/privacy.test.ts',
  'test/e2e/languages.test.ts',
  'test/e2e/start.test.ts',
  'test/e2e/qr.test.ts',
  'test/e2e/lost-data.test.ts',
  // Without.
  'backend/test/move/move.test.ts',
  'backend/test/rolling-upgrade.test.ts',
  'test/unit/integration/sweep.test.ts',
  'backend/test/backup.test.ts',
  'backend/test/store/postgres.test.ts',
  'backend/test/process.test.ts',
  'backend/test/dashboard/command-line.test.ts',
  'backend/test/database-hangs.test.ts',
  'backend/test/dashboard/import.test.ts',
  'backend/test/one-process.test.ts',
  'backend/test/http/statuses.test.ts',
  'backend/test/dashboard/sign-in.test.ts',
  'backend/test/http/links.test.ts',
  'backend/test/failover.test.ts',
  'backend/test/store/postgres-faults.test.ts',
  'backend/test/move/kill.test.ts',
  'backend/test/dashboard/account.test.ts',
  'backend/test/dashboard/import-codes.test.ts',
  'backend/test/dashboard/upload.test.ts',
  'backend/test/dashboard/links.test.ts',
  'backend/test/http/shorten.test.ts',
  'backend/test/dashboard/selection.test.ts',
  'backend/test/clocks.test.ts',
];

/** The longest first; the rest in vitest's own order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longestFirst(await super.sort(files), ({ moduleId }) => moduleId);
  }
}

export function longestFirst<File>(files: File[], pathOf: (file: File) => string): File[] {
  const rank = (file: File) => {
    const at = LONGEST.findIndex((path) => pathOf(file).endsWith(`/${path}`));
    return at < 0 ? LONGEST.length : at;
  };
  return files.toSorted((one, other) => rank(one) - rank(other));
}
