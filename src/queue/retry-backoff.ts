import type { Queue, Time } from './types.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const FIRST_MS = 2_000;
const LONGEST_MS = 5 * MINUTE;
const LONGEST_REFUSED_MS = HOUR;

/** A quota that is spent comes back by the day, so asking costs more than waiting. */
const FIRST_QUOTA_MS = HOUR;
const LONGEST_QUOTA_MS = 6 * HOUR;

/** Delays of an attempt that got no answer: a lost one is repeated at once, and after that less and less often. */
const PARKED_MS = [3_000, MINUTE, 10 * MINUTE, HOUR, 6 * HOUR];

/**
 * How long to leave a service alone that was not there `failures` times in a row (1 or more), in milliseconds: doubling,
 * with the lower half left to `random` in [0, 1), so that many browsers do not come back at one moment.
 */
export function unreachableBackoff(failures: number, random: number): number {
  return spread(Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1)), random);
}

/** The same after refusals (429, 503) that named no time: each try costs budget, so it grows faster and further. */
export function refusedBackoff(failures: number, random: number): number {
  return spread(Math.min(LONGEST_REFUSED_MS, FIRST_MS * 6 ** (failures - 1)), random);
}

/** The same where the quota is spent and the service did not say when it comes back. */
export function quotaBackoff(failures: number, random: number): number {
  return spread(Math.min(LONGEST_QUOTA_MS, FIRST_QUOTA_MS * 2 ** (failures - 1)), random);
}

/** How long one attempt is parked that has failed by itself `parks` times before, in milliseconds. */
export function attemptBackoff(parks: number): number {
  return PARKED_MS[Math.min(parks, PARKED_MS.length - 1)] ?? MINUTE;
}

/** The same for an attempt that something in front of the service refused. A refusal is not repeated at once. */
export function parkedAfterRefusal(parks: number): number {
  return attemptBackoff(parks + 1);
}

function spread(ms: number, random: number): number {
  return Math.round(ms * (0.5 + random / 2));
}

/**
 * The browser does not let us keep it from sending a POST twice by itself. Where that could make two links nothing is sent
 * before it does: it is asked again, less and less often. `random` is in [0, 1).
 */
export function withoutConnectionClose(queue: Queue, time: Time, random: number): Queue {
  const failures = queue.state.failures + 1;
  const until = time.now + unreachableBackoff(failures, random);
  return { ...queue, state: { ...queue.state, failures, pause: { until, reason: 'unprotected', named: false } } };
}
