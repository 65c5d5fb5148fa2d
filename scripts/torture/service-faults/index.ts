import { checkHistory } from '../../check-request-history.ts';
import type { RandomTest } from '../random-test.ts';
import { type RunOptions, recordRun } from './record-run.ts';

const FAULTS = 30;

/**
 * Returns a random test that kills, suspends and stops the service under load, sets its clock and loses responses.
 * The history checker then decides if the service kept its promises.
 *
 * @param file file to which the histories are appended, or null
 */
export function serviceFaults(database: RunOptions['database'], file: string | null): RandomTest {
  return {
    name: `service-${database}`,
    async prepare() {},
    async run(seed) {
      const { violations, summary } = checkHistory(await recordRun({ database, seed, faults: FAULTS, file }));
      // The summary omits the database and the seed, because the caller already prints them.
      return { broken: violations, summary: summary.join('').replace(/^Run .*?: /, '') };
    },
  };
}
