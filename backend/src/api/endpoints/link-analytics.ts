import { ANALYTICS_RANGE, Analytics, AnalyticsQuery } from '@terse/contract';
import { analyzeStoredClicks, readClicks } from '../../clicks/read-analytics.ts';
import { dayOf, startOf } from '../../domain/analytics/calendar.ts';
import type { Range } from '../../domain/analytics/time-series.ts';
import { UNKNOWN } from '../../domain/analytics/top-values.ts';
import { splitStoredCode } from '../../domain/links/short-domains.ts';
import { ApiError } from '../../http/api-error.ts';
import type { ApiServices, Endpoint } from '../endpoint.ts';
import { DOMAIN_PARAMETER, findOwnLink, LINK_PARAMETERS } from '../find-own-link.ts';
import { answered, LINK, type Operation } from '../openapi/describe-endpoint.ts';

/** Number of days in the default range, which ends today. */
const DEFAULT_DAYS = 30;

/** Day number of January 1, 1970, the first day of the supported range. All links are newer. */
const FIRST_DAY = 0;

const MESSAGES: Record<string, string> = {
  from: '"from" must be a UTC day, such as 2026-07-01.',
  to: '"to" must be a UTC day, such as 2026-07-31.',
  interval: '"interval" must be "hour", "day" or "month".',
};

const NO_CLICKS = { clicks: 0, visitors: 0, bots: 0 };

const doc: Operation = {
  id: 'readAnalytics',
  tag: 'Analytics',
  summary: 'Read the clicks of a link',
  description: `Clicks of a link in a range of UTC days: in total, as a series, and by their origin. A click is counted within
seconds. \`clicks\`, \`visitors\` and the lists count people; known bots are counted only in \`bots\`. IP addresses are not stored, so a
visitor is recognized only within one UTC day. In the lists, a \`name\` of null means that the client did not send this information.
\`other\` stands for names that are unknown or too rare to be stored.

A service may keep old counts only by month. If a range includes such a month, the response is by month, even if another interval was
requested: its \`interval\` is \`month\`, and \`from\` and \`to\` are the first and last day that it covers. These may lie outside the
requested range.`,
  path: LINK_PARAMETERS,
  query: {
    schema: AnalyticsQuery,
    about: {
      ...DOMAIN_PARAMETER.about,
      from: { description: 'The first UTC day. Default: 29 days before `to`.', example: '2026-07-01' },
      to: { description: 'The last UTC day, included. Default: today.', example: '2026-07-31' },
      interval: {
        description: `Interval of the series. At most ${ANALYTICS_RANGE.hour} days by hour, ${ANALYTICS_RANGE.day} by day and ${ANALYTICS_RANGE.month} by month.`,
        example: 'day',
      },
    },
  },
  success: {
    status: 200,
    description: 'The clicks.',
    content: answered(Analytics, {
      day: {
        shortCode: LINK.shortCode,
        from: '2026-07-01',
        to: '2026-07-02',
        interval: 'day',
        clicks: 5,
        visitors: 4,
        bots: 1,
        series: [
          { start: '2026-07-01T00:00:00.000Z', ...NO_CLICKS },
          { start: '2026-07-02T00:00:00.000Z', clicks: 5, visitors: 4, bots: 1 },
        ],
        referrers: [
          { name: 'news.example', clicks: 3 },
          { name: null, clicks: 2 },
        ],
        browsers: [{ name: 'Firefox', clicks: 5 }],
        systems: [
          { name: 'Linux', clicks: 4 },
          { name: 'other', clicks: 1 },
        ],
        devices: [{ name: 'desktop', clicks: 5 }],
        countries: [{ name: null, clicks: 5 }],
      },
    }),
  },
  errors: ['not_found', 'gone', 'invalid_request'],
};

export function analyticsEndpoint(services: ApiServices): Endpoint {
  return {
    method: 'GET',
    path: '/api/v1/analytics/:shortCode',
    access: 'read',
    scope: 'read',
    doc,
    async handle(context) {
      const link = await findOwnLink(context, services);
      const { data, error } = AnalyticsQuery.safeParse(context.req.query());
      if (error) throw invalid(MESSAGES[String(error.issues[0]?.path[0])] ?? 'The query is not valid.');
      const clicks = await readClicks(services.store, link.id, rangeOf(data, services.clock()));
      const { interval, analysis } = analyzeStoredClicks(clicks, data.interval);
      const { range } = clicks;
      const { sum, series, names } = analysis;
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
    },
  };
}

function rangeOf({ from, to, interval }: AnalyticsQuery, now: number): Range {
  const last = to === undefined ? dayOf(now) : parseDay('to', to);
  const first = from === undefined ? Math.max(FIRST_DAY, last - DEFAULT_DAYS + 1) : parseDay('from', from);
  if (first > last) throw invalid('"from" must not be after "to". The default of "to" is today.');
  const maxDays = ANALYTICS_RANGE[interval];
  if (last - first >= maxDays) throw invalid(`A series by ${interval} covers at most ${maxDays} days.`);
  return { from: first, to: last };
}

function parseDay(field: 'from' | 'to', text: string): number {
  const day = dayOf(Date.parse(text));
  if (day < FIRST_DAY) throw invalid(`"${field}" must not be before 1970-01-01.`);
  return day;
}

function dayText(day: number): string {
  return new Date(startOf(day)).toISOString().slice(0, 10);
}

function nameWithClicks([name, clicks]: [string, number]): Analytics['referrers'][number] {
  return { name: name === UNKNOWN ? null : name, clicks };
}

function invalid(message: string): ApiError {
  return new ApiError('invalid_request', { message });
}
