/** One line of the log. Fields never hold a key, an IP address, or any part of a long URL. */
export type Log = (level: 'info' | 'warn' | 'error', message: string, fields?: Record<string, unknown>) => void;

/** A log of JSON lines. An `error` field that is an Error is written with its stack. */
export function createLog(write: (line: string) => void, clock: () => number): Log {
  return (level, message, { error, ...fields } = {}) => {
    const cause = error instanceof Error ? { error: error.stack ?? error.message } : {};
    write(`${JSON.stringify({ time: new Date(clock()).toISOString(), level, message, ...fields, ...cause })}\n`);
  };
}
