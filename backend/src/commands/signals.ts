import { constants } from 'node:os';

const STOPS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Resolves to the signal that asks for a stop; the next one ends the process at once. Both are said in so many words:
 * the first process of a container is given no signal that it does not handle.
 */
export function stopAsked(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of STOPS) {
      process.on(signal, () => {
        if (asked) process.exit(128 + constants.signals[signal]);
        asked = true;
        resolve(signal);
      });
    }
  });
}
