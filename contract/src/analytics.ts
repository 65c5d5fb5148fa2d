import * as z from 'zod/mini';

/** Maximum number of days that one request can cover, for each interval. */
export const ANALYTICS_RANGE = { hour: 31, day: 366, month: 3_660 } as const;

const Day = z.iso.date();
const Interval = z.enum(['hour', 'day', 'month']);
const Count = z.int().check(z.nonnegative());

/** Query that names the domain of a link. */
export const LinkQuery = z.object({
  domain: z.optional(z.string()).check(z.describe('Domain of the link. Default: the default domain of the service.')),
});

/** Query of `GET /api/v1/analytics/{shortCode}`. */
export const AnalyticsQuery = z.extend(LinkQuery, {
  from: z.optional(Day).check(z.describe('The first UTC day. Default: 29 days before `to`.')),
  to: z.optional(Day).check(z.describe('The last UTC day, included. Default: today.')),
  interval: z
    ._default(Interval, 'day')
    .check(
      z.describe(
        `Interval of the series. At most ${ANALYTICS_RANGE.hour} days by hour, ${ANALYTICS_RANGE.day} by day and ${ANALYTICS_RANGE.month} by month.`,
      ),
    ),
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
  shortCode: z.string().check(z.describe('Short code of the link.')),
  from: Day.check(z.describe('The first UTC day of the range.')),
  to: Day.check(z.describe('The last UTC day of the range, included.')),
  interval: Interval.check(z.describe('Interval of the series.')),
  clicks: Count.check(z.describe('Clicks by people.')),
  visitors: Count.check(
    z.describe('People, counted once per UTC day. A person who visits on three days counts as three visitors.'),
  ),
  bots: Count.check(z.describe('Clicks by known bots.')),
  series: z
    .array(z.object({ start: z.iso.datetime(), clicks: Count, visitors: Count, bots: Count }))
    .check(
      z.describe(
        'Every interval of the range in order. A visitor is counted in the hour of the first visit of the day. If the intervals are months, the first one starts on the first day of the range.',
      ),
    ),
  referrers: z.array(Share).check(z.describe('Hosts of referring pages, most clicks first.')),
  browsers: z.array(Share).check(z.describe('Browsers, most clicks first.')),
  systems: z.array(Share).check(z.describe('Operating systems, most clicks first.')),
  devices: z.array(Share).check(z.describe('Kinds of devices, most clicks first.')),
  countries: z
    .array(Share)
    .check(z.describe('ISO 3166-1 alpha-2 codes, most clicks first, if the operator’s proxy sends them.')),
});
export type Analytics = z.infer<typeof Analytics>;
