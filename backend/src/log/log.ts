import { inspect } from 'node:util';

/**
 * Writes a line to the log. The fields must never contain an API key, a client's IP address, or any part of a long
 * URL.
 */
export type Log = (level: 'info' | 'warn' | 'error', message: string, fields?: Record<string, unknown>) => void;

/**
 * Returns a log that writes JSON lines. The error in the `error` field is written with its stack and causes.
 *
 * @param write by default, writes to stderr
 */
export function createLog(clock: () => number, write: (line: string) => void = writeToStderr): Log {
  return (level, message, { error, ...fields } = {}) => {
    const text = error === undefined ? {} : { error: errorText(error) };
    const line = JSON.stringify({ time: new Date(clock()).toISOString(), level, message, ...fields, ...text });
    write(`${line.replace(LINE_ENDS, escapeCharacter)}\n`);
  };
}

/** How deep causes and errors of an AggregateError are written. */
const CAUSES = 5;

function writeToStderr(line: string): void {
  process.stderr.write(line);
}

/** Returns the text of an error. Removes passwords from URLs, and more text if it is unclear where a password ends. */
function errorText(error: unknown): string {
  const text = typeof error === 'string' ? error : inspect(error, { depth: CAUSES });
  return text.replace(/(\b\w+:\/\/[^\s:@/]*):\S*@/g, '$1@').replace(/(\bpassword=)[^\s&]*/gi, '$1…');
}

/** Characters that JSON does not escape, although some programs treat them as line breaks. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Creates a log for an event that can occur thousands of times per second. The first event is logged immediately.
 * Further events are counted, and their number is logged once per interval.
 *
 * @param interval time between two log lines, in milliseconds
 * @param write called with the number of events since the last call, and with the latest error
 */
export function createThrottledLog(interval: number, write: (times: number, error: unknown) => void) {
  let count = 0;
  let latest: unknown = null;
  let isPaused = false;

  function flush(): void {
    isPaused = count > 0;
    if (count > 0) write(count, latest);
    count = 0;
  }

  return {
    add(times: number, error: unknown): void {
      count += times;
      latest = error;
      if (isPaused) return;
      flush();
      const timer = setInterval(() => {
        flush();
        if (!isPaused) clearInterval(timer);
      }, interval).unref();
    },
    /** Logs the events that have been counted but not logged yet. */
    flush(): void {
      if (count > 0) flush();
    },
  };
}

export interface AnsweredRequest {
  /** HTTP method of the request; null if it could not be read. */
  method: string | null;
  /** Path of the endpoint with parameter names, such as `/api/v1/urls/:shortCode`. Null if no endpoint matches. */
  route: string | null;
  status: number;
  seconds: number;
  /** Name of the rate limit that rejected the request. Null if no limit was exceeded. */
  limit: string | null;
}

export type RequestLog = (request: AnsweredRequest) => void;

/** Paths of health checks. They are requested every few seconds, and would fill the log. */
const HEALTH_CHECKS: ReadonlySet<string | null> = new Set(['/healthz', '/readyz']);

/**
 * Returns a function that logs requests. Health checks are logged only when their HTTP status changes.
 *
 * @param observe called with each request, for metrics
 */
export function createRequestLog(log: Log, observe?: RequestLog): RequestLog {
  const lastStatus = new Map<string | null, number>();
  return (request) => {
    const { method, route, status, seconds } = request;
    observe?.(request);
    if (HEALTH_CHECKS.has(route)) {
      if (lastStatus.get(route) === status) return;
      lastStatus.set(route, status);
    }
    log('info', 'request', { method, route, status, ms: Math.round(seconds * 10_000) / 10 });
  };
}
