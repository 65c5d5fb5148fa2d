const FIRST_MS = 2_000;
const LONGEST_MS = 5 * 60_000;
const LONGEST_REFUSED_MS = 60 * 60_000;

/**
 * How long to leave a service alone after `failures` in a row (1 or more), in milliseconds: doubling, with the lower
 * half left to chance so that many browsers do not come back at one moment. `chance` is in [0, 1).
 */
export function backoff(failures: number, chance: number): number {
  return spread(Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1)), chance);
}

/** The same after refusals (429, 503) that named no time: each try costs budget, so it grows faster and further. */
export function refusedBackoff(failures: number, chance: number): number {
  return spread(Math.min(LONGEST_REFUSED_MS, FIRST_MS * 6 ** (failures - 1)), chance);
}

function spread(ms: number, chance: number): number {
  return Math.round(ms * (0.5 + chance / 2));
}
