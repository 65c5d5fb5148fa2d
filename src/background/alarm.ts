import browser from '../browser/browser.ts';
import type { Wake } from './queue-runner.ts';

const NAME = 'queue';
/** Browsers promise no alarm sooner than this. */
const SOONEST_MS = 30_000;
/** How often a background that is awake looks whether the network is back: no event tells every browser's. */
const NETWORK_CHECK_MS = 2_000;
/** Timers take 31 bits; a wait that long is the alarm's. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Sees to it that `run` is called when it is due: a timer for a background that is awake, and the one alarm there is for
 * one that sleeps by then.
 */
export class Alarm {
  readonly #run: () => void;
  readonly #online: () => boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #networkCheck: ReturnType<typeof setInterval> | undefined;

  constructor(run: () => void, online: () => boolean) {
    this.#run = run;
    this.#online = online;
  }

  /** @param now milliseconds since the epoch */
  async wake({ at, whenOnline }: Wake, now: number): Promise<void> {
    this.#clear();
    if (whenOnline) this.#networkCheck = setInterval(() => this.#online() && this.#run(), NETWORK_CHECK_MS);
    const delay = Math.max(0, (at ?? Number.POSITIVE_INFINITY) - now);
    if (at !== null) this.#timer = setTimeout(this.#run, Math.min(delay, LONGEST_TIMER_MS));
    const alarmIn = Math.max(SOONEST_MS, whenOnline ? 0 : delay);
    await browser.alarms.create(NAME, { when: Date.now() + alarmIn });
  }

  /** Nothing is due: nothing needs to wake. */
  async sleep(): Promise<void> {
    this.#clear();
    await browser.alarms.clear(NAME);
  }

  #clear(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#networkCheck);
  }
}
