import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Slowest test files in descending order of duration. They start first, because a slow file that starts last would
 * run on its own at the end. The list is fixed, because a fresh clone has no durations from earlier runs.
 */
export const LONGEST = [
  // Tests that need a browser.
  'test/e2e/gallery.test.ts',
  'test/e2e/flows-interrupted.test.ts',
  'test/e2e/upgrade.test.ts',
  'test/e2e/native/flows.test.ts',
  'test/e2e/flows-pages.test.ts',
  'test/e2e/flows.test.ts',
  'test/e2e/spec-only.test.ts',
  'test/e2e/dashboard-looks.test.ts',
  'test/e2e/dashboard-panels.test.ts',
  'test/e2e/other-servers.test.ts',
  'test/e2e/native/start.test.ts',
  'test/e2e/dashboard.test.ts',
  'test/e2e/ways-in.test.ts',
  'test/e2e/dashboard-links.test.ts',
  'test/e2e/links.test.ts',
  'test/e2e/connect.test.ts',
  'test/e2e/privacy.test.ts',
  'test/e2e/languages.test.ts',
  'test/e2e/dashboard-imports.test.ts',
  'test/e2e/build.test.ts',
  'test/e2e/start.test.ts',
  'test/e2e/qr.test.ts',
  'test/e2e/dev.test.ts',
  // Tests that need no browser.
  'test/unit/integration/sweep.test.ts',
  'backend/test/failover.test.ts',
  'backend/test/move/move.test.ts',
  'backend/test/rolling-upgrade.test.ts',
  'backend/test/dashboard/command-line.test.ts',
  'backend/test/backup.test.ts',
  'backend/test/process.test.ts',
  'backend/test/database-hangs.test.ts',
  'backend/test/store/postgres.test.ts',
  'backend/test/one-process.test.ts',
  'backend/test/dashboard/import.test.ts',
  'backend/test/dashboard/links.test.ts',
  'backend/test/dashboard/sign-in.test.ts',
  'backend/test/several-domains.test.ts',
  'backend/test/http/statuses.test.ts',
  'backend/test/http/links.test.ts',
  'backend/test/dashboard/import-file.test.ts',
  'backend/test/import-stop.test.ts',
  'backend/test/store/postgres-faults.test.ts',
  'backend/test/dashboard/selection.test.ts',
  'backend/test/move/kill.test.ts',
  'backend/test/dashboard/upload-and-confirm-page.test.ts',
  'backend/test/commands/existing-database.test.ts',
  'backend/test/dashboard/account.test.ts',
  'backend/test/database-away.test.ts',
  'backend/test/http/proxies.test.ts',
  'backend/test/http/slow-clients.test.ts',
  'backend/test/clocks.test.ts',
  'backend/test/power-loss.test.ts',
  'backend/test/dashboard/import-codes.test.ts',
  'test/unit/integration/gateways.test.ts',
];

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
