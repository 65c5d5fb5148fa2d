import { setTimeout as pause } from 'node:timers/promises';

type Truthy<T> = Exclude<T, false | null | undefined | 0 | ''>;

/** In milliseconds: a busy machine takes long to start a browser or to build. */
const PATIENCE = 60_000;

/** Asks again and again until `probe` gives something truthy, which is returned; throws, saying `what`, if it never does. */
export async function until<T>(what: string, probe: () => T | Promise<T>, patience = PATIENCE): Promise<Truthy<T>> {
  const giveUp = Date.now() + patience;
  while (Date.now() < giveUp) {
    const found = await probe();
    if (found) return found as Truthy<T>;
    await pause(25);
  }
  throw new Error(`Waited ${patience / 1000} s in vain for ${what}`);
}
