/** A log for what can happen many thousand times a second: the first time at once, then a number every while. */
export interface ThrottledLog {
  add(times: number, error: unknown): void;
  /** Logs what was not logged yet. */
  flush(): void;
}

/**
 * @param every in milliseconds
 * @param write given how often it happened since it was last called, and the latest error
 */
export function createThrottledLog(every: number, write: (times: number, error: unknown) => void): ThrottledLog {
  let count = 0;
  let latest: unknown = null;
  let pause: NodeJS.Timeout | null = null;

  function flush(): void {
    if (count === 0) return;
    write(count, latest);
    count = 0;
    latest = null;
  }

  function writeAndPause(): void {
    if (count === 0) {
      pause = null;
      return;
    }
    flush();
    pause = setTimeout(writeAndPause, every).unref();
  }

  return {
    add(times, error) {
      count += times;
      latest = error;
      if (!pause) writeAndPause();
    },
    flush,
  };
}
