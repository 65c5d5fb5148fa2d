import { errorText } from './error-text.ts';

export type Level = 'info' | 'warn' | 'error';

/** One line of the log. Fields never hold a key, a client's IP address, or any part of a long URL. */
export type Log = (level: Level, message: string, fields?: Record<string, unknown>) => void;

/** A log of JSON lines. An `error` field is written with its stack and its causes. */
export function createLog(write: (line: string, level: Level) => void, clock: () => number): Log {
  return (level, message, { error, ...fields } = {}) => {
    const text = error === undefined ? {} : { error: errorText(error) };
    const line = JSON.stringify({ time: new Date(clock()).toISOString(), level, message, ...fields, ...text });
    write(`${line.replace(LINE_ENDS, escaped)}\n`, level);
  };
}

/** Characters that end a line for some programs, though not in JSON. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
