import { ANALYTICS_RANGE, type Analytics, AnalyticsQuery } from '@terse/contract';
import type { Context } from 'hono';
import { analyzeDays, type Range } from '../clicks/read-analytics.ts';
import { dayOf, startOf, UNKNOWN } from '../domain/analytics/day-counts.ts';
import { splitStoredCode } from '../domain/links/short-codes.ts';
import { findOwnLink, invalidQuery, parseQuery } from './links.ts';
import type { Env, Services } from './services.ts';

/** Number of days in the default range, which ends today. */
const DEFAULT_DAYS = 30;

/** Day number of January 1, 1970, the first day of the supported range. All links are newer. */
const FIRST_DAY = 0;

const MESSAGES: Record<string, string> = {
  from: '"from" must be a UTC day, such as 2026-07-01.',
  to: '"to" must be a UTC day, such as 2026-07-31.',
  interval: '"interval" must be "hour", "day" or "month".',
};

/** `GET /api/v1/analytics/{shortCode}`: returns the clicks of a link in a range of UTC days. */
export async function readAnalytics(context: Context<Env>, services: Services): Promise<Response> {
  const link = await findOwnLink(context, services);
  const query = parseQuery(context, AnalyticsQuery, MESSAGES);
  const { interval } = query;
  const range = rangeOf(query, services.clock());
  const days = await services.store.clicks.days(link.id, range.from, range.to);
  const { sum, series, names } = analyzeDays(days, range, interval);
  const { referrers, browsers, systems, devices, countries } = names;
  const body: Analytics = {
    shortCode: splitStoredCode(link.code).code,
    from: dayText(range.from),
    to: dayText(range.to),
    interval,
    ...sum,
    series: series.map(({ start, ...counts }) => ({ start: new Date(start).toISOString(), ...counts })),
    referrers: referrers.map(nameWithClicks),
    browsers: browsers.map(nameWithClicks),
    systems: systems.map(nameWithClicks),
    devices: devices.map(nameWithClicks),
    countries: countries.map(nameWithClicks),
  };
  return context.json(body);
}

function rangeOf({ from, to, interval }: AnalyticsQuery, now: number): Range {
  const last = to === undefined ? dayOf(now) : parseDay('to', to);
  const first = from === undefined ? Math.max(FIRST_DAY, last - DEFAULT_DAYS + 1) : parseDay('from', from);
  if (first > last) throw invalidQuery('"from" must not be after "to". The default of "to" is today.');
  const maxDays = ANALYTICS_RANGE[interval];
  if (last - first >= maxDays) throw invalidQuery(`A series by ${interval} covers at most ${maxDays} days.`);
  return { from: first, to: last };
}

function parseDay(field: 'from' | 'to', text: string): number {
  const day = dayOf(Date.parse(text));
  if (day < FIRST_DAY) throw invalidQuery(`"${field}" must not be before 1970-01-01.`);
  return day;
}

function dayText(day: number): string {
  return new Date(startOf(day)).toISOString().slice(0, 10);
}

function nameWithClicks([name, clicks]: [string, number]): Analytics['referrers'][number] {
  return { name: name === UNKNOWN ? null : name, clicks };
}
