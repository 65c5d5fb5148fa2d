/** Tells of what can happen many thousand times a second: once at once, then at most once in a while, with the number. */
export interface ThrottledLog {
  add(times: number, error: unknown): void;
  /** Tells what was not told yet. */
  flush(): void;
}

/**
 * @param every in milliseconds
 * @param tell given how often it happened since it was told last, and the latest reason
 */
export function createThrottledLog(every: number, tell: (times: number, error: unknown) => void): ThrottledLog {
  let untold = 0;
  let latest: unknown = null;
  let pause: NodeJS.Timeout | null = null;

  function flush(): void {
    if (untold === 0) return;
    tell(untold, latest);
    untold = 0;
    latest = null;
  }

  function tellAndPause(): void {
    if (untold === 0) {
      pause = null;
      return;
    }
    flush();
    pause = setTimeout(tellAndPause, every).unref();
  }

  return {
    add(times, error) {
      untold += times;
      latest = error;
      if (!pause) tellAndPause();
    },
    flush,
  };
}
