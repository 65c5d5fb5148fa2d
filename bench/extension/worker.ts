import { killWorker } from '../../scripts/browsers/targets.ts';
import { type BenchBrowser, openEmpty, timedMessage } from './browser.ts';
import { byTurns, type Compared } from './rounds.ts';

/**
 * Message that no background worker handles. The browser starts a stopped worker for this message, but the worker
 * sends no response.
 */
const IGNORED = { type: 'bench-nothing' };

/**
 * Compares the start times of two background workers in milliseconds. Sends each stopped worker a message that the
 * worker does not handle. Waits until the browser reports that there is no response.
 */
export async function compareColdStart(ours: BenchBrowser, tiny: BenchBrowser, rounds: number): Promise<Compared> {
  const [page, tinyPage] = await Promise.all([openEmpty(ours), openEmpty(tiny)]);
  const compared = await byTurns(
    rounds,
    async () => {
      await killWorker(ours);
      return page.evaluate<number>(timedMessage(IGNORED));
    },
    async () => {
      await killWorker(tiny);
      return tinyPage.evaluate<number>(timedMessage(IGNORED));
    },
  );
  await Promise.all([page.close(), tinyPage.close()]);
  return compared;
}
