import { setTimeout as pause } from 'node:timers/promises';

type Truthy<T> = Exclude<T, false | null | undefined | 0 | ''>;

/** In milliseconds: a busy machine takes long to start a browser or to build. */
const PATIENCE = 60_000;

/** Between two askings, in milliseconds. Whoever has waited long may notice a little later, and leaves the machine to others. */
const pauseAfter = (waited: number) => Math.min(Math.max(25, waited / 10), 250);

/** Asks again and again until `probe` gives something truthy, which is returned; throws, saying `what`, if it never does. */
export async function until<T>(what: string, probe: () => T | Promise<T>, patience = PATIENCE): Promise<Truthy<T>> {
  const started = Date.now();
  for (let waited = 0; waited < patience; waited = Date.now() - started) {
    const found = await probe();
    if (found) return found as Truthy<T>;
    await pause(pauseAfter(waited));
  }
  throw new Error(`Waited ${patience / 1000} s in vain for ${what}`);
}
