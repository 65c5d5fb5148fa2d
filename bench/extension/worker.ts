import { type BenchBrowser, endWorker, timedMessage } from './browser.ts';
import { EMPTY_PAGE, PING } from './extensions.ts';
import { READ_MESSAGE } from './messages-and-pages.ts';
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
export function compareColdStart(ours: BenchBrowser, tiny: BenchBrowser, rounds: number): Promise<Compared> {
  return compareDead(ours, IGNORED, tiny, IGNORED, rounds);
}

/**
 * Compares the response times of two background workers, in milliseconds. Each worker is stopped first, so the
 * response time includes its start. The worker in `ours` reads its database before it responds. The worker in `tiny`
 * responds immediately.
 */
export function compareFirstAnswer(ours: BenchBrowser, tiny: BenchBrowser, rounds: number): Promise<Compared> {
  return compareDead(ours, READ_MESSAGE, tiny, PING, rounds);
}

async function compareDead(
  ours: BenchBrowser,
  message: unknown,
  tiny: BenchBrowser,
  tinyMessage: unknown,
  rounds: number,
): Promise<Compared> {
  const [page, tinyPage] = await Promise.all([openEmpty(ours), openEmpty(tiny)]);
  const compared = await byTurns(
    rounds,
    async () => {
      await endWorker(ours);
      return page.evaluate<number>(timedMessage(message));
    },
    async () => {
      await endWorker(tiny);
      return tinyPage.evaluate<number>(timedMessage(tinyMessage));
    },
  );
  await Promise.all([page.close(), tinyPage.close()]);
  return compared;
}

const openEmpty = (browser: BenchBrowser) => browser.open(`chrome-extension://${browser.extensionId}/${EMPTY_PAGE}`);
