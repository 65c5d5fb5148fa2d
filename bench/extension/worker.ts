import { type BenchBrowser, endWorker, timedMessage } from './browser.ts';
import { EMPTY_PAGE, PING } from './extensions.ts';
import { READ_MESSAGE } from './messages-and-pages.ts';
import { byTurns, type Compared } from './rounds.ts';

/** No worker knows this message: each starts, sees that it is none of its own, and says nothing. */
const IGNORED = { type: 'bench-nothing' };

/** Milliseconds from a message to a dead worker until it is known that nobody answers: the worker's start alone. */
export function compareColdStart(ours: BenchBrowser, tiny: BenchBrowser, rounds: number): Promise<Compared> {
  return compareDead(ours, IGNORED, tiny, IGNORED, rounds);
}

/** Milliseconds from a message to a dead worker until its answer: ours reads its database, the tiny one says "pong". */
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
