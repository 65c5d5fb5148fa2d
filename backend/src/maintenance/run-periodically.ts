/** A task that is repeated until `end` is called. */
export interface Periodic {
  /** Stops the repetition and waits for the current run to finish. */
  end(): Promise<void>;
}

/**
 * Repeats a task. The interval starts when the previous run ends, so runs never overlap. The timer does not keep the
 * process alive.
 *
 * @param every interval in milliseconds
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
