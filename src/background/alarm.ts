import browser from '../browser/browser.ts';
import type { Wake } from './queue-runner.ts';

const NAME = 'queue';
/** Minimum delay of alarms in all browsers. */
const MIN_ALARM_MS = 30_000;
/**
 * Maximum time that the worker sleeps while something waits. If the clock is set back meanwhile, the worker notices it only
 * when it wakes, so a wait can grow by this much.
 */
const MAX_SLEEP_MS = 5 * 60_000;
/** Interval at which a running worker checks the network, because not all browsers send an event. */
const NETWORK_CHECK_MS = 2_000;
/** Maximum delay of a timer (31 bits). The alarm covers longer waits. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Calls `run` when it is due: by a timer while the worker is running, and by the alarm if it sleeps. */
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
    if (at !== null) this.#timer = setTimeout(this.#run, Math.min(delay, MAX_TIMER_MS));
    const alarmIn = Math.min(MAX_SLEEP_MS, Math.max(MIN_ALARM_MS, whenOnline ? 0 : delay));
    await browser.alarms.create(NAME, { delayInMinutes: minutes(alarmIn), periodInMinutes: minutes(MAX_SLEEP_MS) });
  }

  /** Clears the alarm, because nothing is due. */
  async sleep(): Promise<void> {
    this.#clear();
    await browser.alarms.clear(NAME);
  }

  #clear(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#networkCheck);
  }
}

function minutes(ms: number): number {
  return ms / 60_000;
}
