import { setTimeout as pause } from 'node:timers/promises';

type Truthy<T> = Exclude<T, false | null | undefined | 0 | ''>;

/** Timeout in milliseconds, long enough for a busy machine to start a browser or to build. */
const PATIENCE = 60_000;

/** Milliseconds between two checks. The pause grows with the time waited, to save CPU time. */
const pauseAfter = (waited: number) => Math.min(Math.max(25, waited / 10), 250);

/**
 * Calls `probe` until it returns a truthy value, and returns that value. At the timeout, throws an error that
 * contains `what`.
 */
export async function until<T>(what: string, probe: () => T | Promise<T>, patience = PATIENCE): Promise<Truthy<T>> {
  const started = Date.now();
  for (let waited = 0; waited < patience; waited = Date.now() - started) {
    const found = await probe();
    if (found) return found as Truthy<T>;
    await pause(pauseAfter(waited));
  }
  throw new Error(`Waited ${patience / 1000} s in vain for ${what}`);
}
