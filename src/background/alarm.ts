import browser from '../browser/browser.ts';
import type { Wake } from './queue-runner.ts';

const NAME = 'queue';
/** Minimum alarm delay that all supported browsers accept. */
const MIN_ALARM_MS = 30_000;
/**
 * Maximum time between two alarms while a queue is waiting. It limits how late a queue resumes if the user sets the
 * computer's clock back.
 */
const MAX_SLEEP_MS = 5 * 60_000;
/**
 * Interval at which a running background worker checks whether the browser is online. Not all browsers send the
 * worker an `online` event.
 */
const NETWORK_CHECK_MS = 2_000;
/** Maximum delay that `setTimeout` supports (a signed 32-bit integer). The browser alarm covers longer waits. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls `run` at a requested time, using a timer. A browser alarm serves as a backup, because a timer ends when the
 * browser stops the background worker.
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

  async wake({ at, whenOnline }: Wake, now: number): Promise<void> {
    this.#clear();
    if (whenOnline) this.#networkCheck = setInterval(() => this.#online() && this.#run(), NETWORK_CHECK_MS);
    const delay = Math.max(0, (at ?? Number.POSITIVE_INFINITY) - now);
    if (at !== null) this.#timer = setTimeout(this.#run, Math.min(delay, MAX_TIMER_MS));
    const alarmIn = Math.min(MAX_SLEEP_MS, Math.max(MIN_ALARM_MS, whenOnline ? 0 : delay));
    await browser.alarms.create(NAME, { delayInMinutes: minutes(alarmIn), periodInMinutes: minutes(MAX_SLEEP_MS) });
  }

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
