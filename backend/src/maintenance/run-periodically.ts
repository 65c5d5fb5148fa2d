/** A task that is repeated until it is ended. */
export interface Periodic {
  /** Stops the task. Resolves after the current round. */
  end(): Promise<void>;
}

/**
 * Repeats a task. The interval begins at the end of a round, so that two rounds never overlap. Does not keep the process
 * alive.
 *
 * @param interval in milliseconds
 * @param task must not throw
 */
export function runPeriodically(interval: number, task: () => Promise<unknown>, first: 'now' | 'later'): Periodic {
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<unknown> = Promise.resolve();

  function run(): void {
    round = task().finally(wait);
  }

  function wait(): void {
    if (!isEnded) timer = setTimeout(run, interval).unref();
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
