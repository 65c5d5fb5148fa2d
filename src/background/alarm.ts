import browser from 'webextension-polyfill';

const NAME = 'queue';
/** Browsers promise no alarm sooner than this. */
const SOONEST_MS = 30_000;
/** How often to see whether the network is back, should its event have been slept through. */
const OFFLINE_CHECK_MS = 60_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Sees to it that `run` is called at `until` (milliseconds since the epoch): a timer for a background that is awake,
 * and the one alarm there is for one that sleeps by then. `until` null: the wait has no known end.
 */
export async function wakeAt(until: number | null, now: number, run: () => void): Promise<void> {
  const delay = until === null ? OFFLINE_CHECK_MS : Math.max(0, until - now);
  clearTimeout(timer);
  // Timers take 31 bits; a wait that long is the alarm's.
  timer = setTimeout(run, Math.min(delay, 2 ** 31 - 1));
  await browser.alarms.create(NAME, { when: Date.now() + Math.max(SOONEST_MS, delay) });
}

/** Nothing is due: nothing needs to wake. */
export async function sleep(): Promise<void> {
  clearTimeout(timer);
  await browser.alarms.clear(NAME);
}
