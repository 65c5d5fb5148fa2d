import { inspect } from 'node:util';

/** Causes that are followed; they may go round in a circle. */
const MOST_CAUSES = 5;

/**
 * An error as the operator has to know it: with its stack, and the messages of what caused it, since the reason is often
 * there alone. A password in an address that one of them quotes is left out.
 */
export function errorText(error: unknown): string {
  const own = error instanceof Error ? (error.stack ?? String(error)) : plain(error);
  return withoutPasswords([own, ...behind(error, MOST_CAUSES)].join('\n'));
}

/** The errors that one is made of, and the one that caused it. */
function behind(error: unknown, most: number): string[] {
  if (!(error instanceof Error) || most === 0) return [];
  // Node's own, where a host has several addresses, says nothing but in its parts.
  const parts = error instanceof AggregateError ? error.errors.slice(0, MOST_CAUSES) : [];
  const all = error.cause === undefined ? parts : [...parts, error.cause];
  return all.flatMap((one) => [`Caused by: ${plain(one)}`, ...behind(one, most - 1)]);
}

function plain(error: unknown): string {
  if (typeof error === 'string') return error;
  return error instanceof Error ? String(error) : inspect(error);
}

/** Rather too much is left out than a part of it shown. */
function withoutPasswords(text: string): string {
  return text.replace(/(\b\w+:\/\/[^\s:@/]*):\S*@/g, '$1@').replace(/(\bpassword=)[^\s&]*/gi, '$1…');
}
