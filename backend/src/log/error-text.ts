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
