/** How much of a quota was used on a UTC day, by the number of the day since the epoch. */
export interface DayUse {
  day: number;
  used: number;
}

/** How a quota stands at one instant. */
export interface QuotaReport {
  limit: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
}

const DAY = 86_400_000;

/**
 * What was used, as it holds at `now`: a new day begins unused. A clock set back by up to a day refills nothing. One that
 * was further ahead was wrong: its day counts as tomorrow, so that nobody is locked out until the day after that.
 */
export function useAt({ day, used }: DayUse, now: number): DayUse {
  const today = Math.floor(now / DAY);
  return { day: Math.min(Math.max(day, today), today + 1), used: today > day ? 0 : used };
}

/** @param use as `useAt` returned it for this instant */
export function reportQuota(limit: number, { day, used }: DayUse, now: number): QuotaReport {
  return {
    limit,
    windowSeconds: DAY / 1000,
    remaining: Math.max(0, limit - used),
    resetSeconds: Math.ceil(((day + 1) * DAY - now) / 1000),
  };
}
