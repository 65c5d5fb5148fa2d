import { certainServiceTime, SAFE_DAY_MS, serviceTime } from './budget.ts';
import type { Queue, Request, Time } from './types.ts';

/** The units of a day's budget that one request may spend by itself: one that fails again and again leaves the rest. */
export const DAILY_SHARE = 3;

/** Sends of one attempt without an answer that tells, after which the person decides. */
export const MOST_SENDS = 6;

/**
 * When a request may be sent by itself again as far as its share of the day goes, by the local clock; null: now.
 * `certain` counts the time alone that has certainly passed at the service.
 */
export function shareFreeAt(request: Request, { budget }: Queue, time: Time, certain = false): number | null {
  // Nearly every request, of lists of a thousand.
  if (request.sends.length < DAILY_SHARE) return null;
  const service = certain ? certainServiceTime(budget, time) : serviceTime(budget, time);
  const counted = request.sends.filter(({ atService }) => atService + SAFE_DAY_MS > service);
  const last = counted
    .map(({ atService }) => atService)
    .sort((one, other) => one - other)
    .at(-DAILY_SHARE);
  return last === undefined ? null : time.now + (last + SAFE_DAY_MS - service);
}

/** The latest time at which the share of each of them is free; null: now. */
export function sharesFreeAt(requests: Request[], queue: Queue, time: Time, certain = false): number | null {
  const times = requests.map((request) => shareFreeAt(request, queue, time, certain)).filter((at) => at !== null);
  return times.length === 0 ? null : Math.max(...times);
}
