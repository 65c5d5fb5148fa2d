import * as z from 'zod/mini';

/** Maximum number of days that one request can cover, for each interval. */
export const ANALYTICS_RANGE = { hour: 31, day: 366, month: 3_660 } as const;

const Day = z.iso.date();
const Interval = z.enum(['hour', 'day', 'month']);
const Count = z.int().check(z.nonnegative());

/**
 * Query of `GET /api/v1/analytics/{shortCode}`. `from` and `to` are days in UTC, and both are included in the range.
 * By default, the range is the last 30 days, including today.
 */
export const AnalyticsQuery = z.object({
  from: z.optional(Day),
  to: z.optional(Day),
  interval: z._default(Interval, 'day'),
  /** Domain of the link. If absent, the default domain is used. */
  domain: z.optional(z.string()),
});
export type AnalyticsQuery = z.infer<typeof AnalyticsQuery>;

/**
 * Number of clicks with the same value of a property, such as the browser or the country. `name` is the value,
 * `other` for unknown and rare values, or null for a missing value. The value comes from the client, so it must not
 * be trusted.
 */
const Share = z.object({ name: z.nullable(z.string()), clicks: Count });

/** Response of `GET /api/v1/analytics/{shortCode}`. `clicks` does not include clicks by known bots. */
export const Analytics = z.object({
  shortCode: z.string(),
  from: Day,
  to: Day,
  /** Always `month` if the service has only monthly counts for part of the range. */
  interval: Interval,
  clicks: Count,
  /**
   * Number of visitors per UTC day, summed over all days. A person who visits on three days counts as three visitors.
   */
  visitors: Count,
  bots: Count,
  /**
   * All intervals of the range in order, including intervals without clicks. Each visitor is counted once per day, in
   * the interval of the visitor's first click on that day. If the intervals are months, the first interval starts on
   * the first day of the range.
   */
  series: z.array(z.object({ start: z.iso.datetime(), clicks: Count, visitors: Count, bots: Count })),
  /**
   * The lists from `referrers` to `countries` exclude bot clicks and start with the most frequent value. Referrers
   * are host names, and countries are ISO 3166-1 alpha-2 codes.
   */
  referrers: z.array(Share),
  browsers: z.array(Share),
  systems: z.array(Share),
  devices: z.array(Share),
  countries: z.array(Share),
});
export type Analytics = z.infer<typeof Analytics>;
