import * as z from 'zod/mini';

/** Maximum range of one query, in days, for each interval. */
export const ANALYTICS_RANGE = { hour: 31, day: 366, month: 3_660 } as const;

/** A valid date, such as `2026-07-31`. */
const Day = z.iso.date();
const Interval = z.enum(['hour', 'day', 'month']);
const Count = z.int().check(z.nonnegative());

/**
 * Query of `GET /api/v1/analytics/{shortCode}`. Both days are in UTC and part of the range. The default range is the last 30
 * days, today included.
 */
export const AnalyticsQuery = z.object({
  from: z.optional(Day),
  to: z.optional(Day),
  interval: z._default(Interval, 'day'),
});
export type AnalyticsQuery = z.infer<typeof AnalyticsQuery>;

/**
 * Clicks from one source, such as a country. The name is null if the client did not send it, and `other` if it is unknown or
 * rare. Clients choose the names, so they are untrusted text.
 */
const Share = z.object({ name: z.nullable(z.string()), clicks: Count });

/** Response of `GET /api/v1/analytics/{shortCode}`. `clicks` does not include those of known bots. */
export const Analytics = z.object({
  shortCode: z.string(),
  from: Day,
  to: Day,
  /** Always `month` if the range contains a month that is only stored as a whole. */
  interval: Interval,
  clicks: Count,
  /** Visitors are counted per UTC day: one person on three days counts as three. */
  visitors: Count,
  bots: Count,
  /**
   * All intervals of the range in order, including those without clicks. A visitor counts in the interval of the day's first
   * click. The first month starts with the range.
   */
  series: z.array(z.object({ start: z.iso.datetime(), clicks: Count, visitors: Count, bots: Count })),
  /** Most clicks first, without bots. Referrers are host names, countries are ISO 3166-1 alpha-2 codes. */
  referrers: z.array(Share),
  browsers: z.array(Share),
  systems: z.array(Share),
  devices: z.array(Share),
  countries: z.array(Share),
});
export type Analytics = z.infer<typeof Analytics>;
