/** Work that is repeated until it is ended. */
export interface Periodic {
  /** Ends it; resolves once the round under way, if any, is over. */
  end(): Promise<void>;
}

/**
 * Repeats work, each round so long after the end of the one before, so that no round meets another however long one
 * takes. Does not keep the process alive.
 *
 * @param every in milliseconds
 * @param work must not throw
 */
export function runPeriodically(every: number, work: () => Promise<unknown>, first: 'now' | 'later'): Periodic {
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<unknown> = Promise.resolve();

  function run(): void {
    round = work().finally(wait);
  }

  function wait(): void {
    if (!isEnded) timer = setTimeout(run, every).unref();
  }

  if (first === 'now') run();
  else wait();
  return {
    async end() {
      isEnded = true;
      clearTimeout(timer);
      await round;
    },
  };
}
