export interface Periodic {
  /** Stops repeating the task. Resolves when the current run of the task has ended. */
  end(): Promise<void>;
}

/**
 * Repeats a task. The interval starts at the end of each run, so runs never overlap. The timer does not keep the
 * process alive.
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
