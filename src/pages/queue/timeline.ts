import type { Burst } from '../../queue/status/send-time-estimate.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** What lies further off is named in words. */
const LONGEST_MS = 14 * DAY_MS;
/** Day names that fit below the picture. */
const MOST_NAMES = 5;

export interface Timeline {
  /** Share of the width, in percent from its start, and of the height. */
  bars: { at: number; count: number; x: number; height: number }[];
  /** Midnights by this computer's calendar; every so manieth has its day named. */
  days: { at: number; x: number; isNamed: boolean }[];
  /** When more of the budget comes; null: none is spent, or it lies beyond the picture. */
  moreX: number | null;
}

/**
 * The sends to come as a picture: a day at least, two weeks at most. A bar is as high as its share of what one day allows,
 * or of the largest one.
 */
export function timelineOf(bursts: Burst[], limit: number, moreAt: number | null, now: number): Timeline {
  const last = Math.max(bursts.at(-1)?.at ?? now, moreAt ?? now);
  const length = Math.min(LONGEST_MS, Math.max(DAY_MS, (last - now) * 1.1));
  const xOf = (at: number) => (100 * (at - now)) / length;
  const shown = bursts.filter(({ at }) => at - now <= length);
  const highest = Math.max(1, Math.min(limit, 1_000), ...shown.map(({ count }) => count));
  const days = midnights(now, now + length);
  const step = Math.ceil(days.length / MOST_NAMES);
  return {
    bars: shown.map(({ at, count }) => ({ at, count, x: xOf(Math.max(at, now)), height: (100 * count) / highest })),
    days: days.map((at, index) => ({ at, x: xOf(at), isNamed: index % step === 0 })),
    moreX: moreAt === null || moreAt - now > length ? null : xOf(moreAt),
  };
}

/** The midnights between two instants: a day of 23 or 25 hours is one day. */
function midnights(from: number, to: number): number[] {
  const found: number[] = [];
  const day = new Date(from);
  for (day.setHours(24, 0, 0, 0); day.getTime() <= to; day.setHours(24, 0, 0, 0)) found.push(day.getTime());
  return found;
}
