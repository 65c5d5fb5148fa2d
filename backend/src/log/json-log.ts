import { inspect } from 'node:util';

/** Maximum number of nested error causes that are logged. The limit is necessary, because causes can be circular. */
const MAX_CAUSES = 5;

/** Returns the text of an error for the log, including its stack and its causes. Passwords in URLs are removed. */
function errorText(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? String(error)) : toText(error);
  return withoutPasswords([text, ...causesOf(error, MAX_CAUSES)].join('\n'));
}

function causesOf(error: unknown, depth: number): string[] {
  if (!(error instanceof Error) || depth === 0) return [];
  // If a connection to a host with several addresses fails, Node's error has no message but contains one error per
  // address.
  const parts = error instanceof AggregateError ? error.errors.slice(0, MAX_CAUSES) : [];
  const all = error.cause === undefined ? parts : [...parts, error.cause];
  return all.flatMap((one) => [`Caused by: ${toText(one)}`, ...causesOf(one, depth - 1)]);
}

function toText(error: unknown): string {
  if (typeof error === 'string') return error;
  return error instanceof Error ? String(error) : inspect(error);
}

/** Removes passwords from URLs. If it is unclear where a password ends, removes more text than necessary. */
function withoutPasswords(text: string): string {
  return text.replace(/(\b\w+:\/\/[^\s:@/]*):\S*@/g, '$1@').replace(/(\bpassword=)[^\s&]*/gi, '$1…');
}

export type Level = 'info' | 'warn' | 'error';

/**
 * Writes a line to the log. The fields must never contain an API key, a client's IP address, or any part of a long
 * URL.
 */
export type Log = (level: Level, message: string, fields?: Record<string, unknown>) => void;

/** Returns a log that writes JSON lines. The error in the `error` field is written with its stack and causes. */
export function createLog(write: (line: string) => void, clock: () => number): Log {
  return (level, message, { error, ...fields } = {}) => {
    const text = error === undefined ? {} : { error: errorText(error) };
    const line = JSON.stringify({ time: new Date(clock()).toISOString(), level, message, ...fields, ...text });
    write(`${line.replace(LINE_ENDS, escapeCharacter)}\n`);
  };
}

/** Characters that JSON does not escape, although some programs treat them as line breaks. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
