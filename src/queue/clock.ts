import type { Time } from './types.ts';

export type Clock = () => Time;

/** Both of the computer's clocks in milliseconds: the one on the wall, and one that only runs forward. */
export interface ComputerClocks {
  wall: () => number;
  monotonic: () => number;
}

/** Clocks are corrected by fractions of a second all the time; more is a jump, or a computer that slept. */
const SAME_CLOCK_MS = 2_000;

/**
 * The time of this background: the wall clock as it stood at the start, carried on evenly. Where the two clocks have
 * parted since (the computer slept, or somebody set its clock), the time is the wall's again, under a new worker id: the
 * time between was not seen by anybody.
 */
export function startClock(
  { wall, monotonic }: ComputerClocks = { wall: () => Date.now(), monotonic: () => performance.now() },
  newId: () => string = () => crypto.randomUUID(),
): Clock {
  let workerId = newId();
  let offset = wall() - monotonic();
  return () => {
    if (Math.abs(wall() - monotonic() - offset) > SAME_CLOCK_MS) {
      offset = wall() - monotonic();
      workerId = newId();
    }
    return { now: Math.round(offset + monotonic()), workerId };
  };
}
