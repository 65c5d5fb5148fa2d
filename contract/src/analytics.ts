import * as z from 'zod/mini';

/** The longest range one question may cover, in days, by the interval of its series. */
export const ANALYTICS_RANGE = { hour: 31, day: 366, month: 3_660 } as const;

/** A day of the calendar that exists, as `2026-07-31`. */
const Day = z.iso.date();
const Interval = z.enum(['hour', 'day', 'month']);
const Count = z.int().check(z.nonnegative());

/**
 * Query of `GET /api/v1/analytics/{shortCode}`. Both days are UTC and included; without them the range is the 30 days
 * that end today.
 */
export const AnalyticsQuery = z.object({
  from: z.optional(Day),
  to: z.optional(Day),
  interval: z._default(Interval, 'day'),
});
export type AnalyticsQuery = z.infer<typeof AnalyticsQuery>;

/**
 * The clicks of one name. `null`: the client did not say. `other`: not recognised, or too rare to be kept by name. Names
 * come from clients, so they are text for people and nothing else.
 */
const Share = z.object({ name: z.nullable(z.string()), clicks: Count });

/** Answer of `GET /api/v1/analytics/{shortCode}`. `clicks` are people's; those of known bots are counted apart. */
export const Analytics = z.object({
  shortCode: z.string(),
  from: Day,
  to: Day,
  /** By the month, whatever was asked, where the range has a month whose days are not told apart any more. */
  interval: Interval,
  clicks: Count,
  /** Counted anew each UTC day: one person on three days is three visitors. */
  visitors: Count,
  bots: Count,
  /**
   * Every interval of the range, in order, whether or not it has clicks; a visitor counts where first seen that day. The first
   * month begins with the range.
   */
  series: z.array(z.object({ start: z.iso.datetime(), clicks: Count, visitors: Count, bots: Count })),
  /** Most clicks first; people's alone. Referrers are host names, countries ISO 3166-1 alpha-2 codes. */
  referrers: z.array(Share),
  browsers: z.array(Share),
  systems: z.array(Share),
  devices: z.array(Share),
  countries: z.array(Share),
});
export type Analytics = z.infer<typeof Analytics>;
