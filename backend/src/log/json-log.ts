import { inspect } from 'node:util';

/** How deep causes are followed; they may refer to each other. */
const MOST_CAUSES = 5;

/**
 * An error for the log: its stack, and the messages of its causes, which often have the reason alone. A password in an
 * address that one of them quotes is left out.
 */
export function errorText(error: unknown): string {
  const own = error instanceof Error ? (error.stack ?? String(error)) : plain(error);
  return withoutPasswords([own, ...behind(error, MOST_CAUSES)].join('\n'));
}

/** The messages of an error's parts and of its cause. */
function behind(error: unknown, most: number): string[] {
  if (!(error instanceof Error) || most === 0) return [];
  // Where a host has several addresses, Node's error has its messages in its parts alone.
  const parts = error instanceof AggregateError ? error.errors.slice(0, MOST_CAUSES) : [];
  const all = error.cause === undefined ? parts : [...parts, error.cause];
  return all.flatMap((one) => [`Caused by: ${plain(one)}`, ...behind(one, most - 1)]);
}

function plain(error: unknown): string {
  if (typeof error === 'string') return error;
  return error instanceof Error ? String(error) : inspect(error);
}

/** Leaves out too much rather than showing a part of a password. */
function withoutPasswords(text: string): string {
  return text.replace(/(\b\w+:\/\/[^\s:@/]*):\S*@/g, '$1@').replace(/(\bpassword=)[^\s&]*/gi, '$1…');
}

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

/** Lines that are written together. */
export interface BatchedLines {
  /** A warning or an error is written at once, after the lines before it: the process may not live to the end of the tick. */
  add(line: string, level: Level): void;
  /** Writes what still waits. */
  flush(): void;
}

/** Writes the lines of one tick of the event loop at once: a write each would cost a create a twentieth of its time. */
export function batchLines(write: (text: string) => void): BatchedLines {
  let waiting = '';

  function flush(): void {
    const text = waiting;
    waiting = '';
    if (text !== '') write(text);
  }

  return {
    add(line, level) {
      if (waiting === '') setImmediate(flush);
      waiting += line;
      if (level !== 'info') flush();
    },
    flush,
  };
}
