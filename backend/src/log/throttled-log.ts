/**
 * Log for an event that can occur thousands of times per second. The first event is logged immediately. Further
 * events are counted, and their number is logged once per interval.
 */
export interface ThrottledLog {
  add(times: number, error: unknown): void;
  /** Logs the events that have been counted but not logged yet. */
  flush(): void;
}

/**
 * @param interval time between two log lines, in milliseconds
 * @param write called with the number of events since the last call, and with the latest error
 */
export function createThrottledLog(interval: number, write: (times: number, error: unknown) => void): ThrottledLog {
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
    pause = setTimeout(writeAndPause, interval).unref();
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
