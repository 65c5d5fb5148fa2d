import { ANALYTICS_RANGE, Analytics, AnalyticsQuery } from '@terse/contract';
import { analyzeStoredClicks, readClicks } from '../../clicks/read-analytics.ts';
import { dayOf, startOf } from '../../domain/analytics/calendar.ts';
import type { Range } from '../../domain/analytics/time-series.ts';
import { UNKNOWN } from '../../domain/analytics/top-values.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Endpoint, Services } from '../endpoint.ts';
import { findOwnLink, LINK_PARAMETERS } from '../find-own-link.ts';
import { answered, LINK, type Operation } from '../openapi/describe-endpoint.ts';

/** The days of a question that names none, today included. */
const STANDARD_DAYS = 30;

/** 1 January 1970: no link is older, and of much earlier days there is no common way to write them. */
const FIRST_DAY = 0;

const SENTENCES: Record<string, string> = {
  from: '"from" must be a UTC day, such as 2026-07-01.',
  to: '"to" must be a UTC day, such as 2026-07-31.',
  interval: '"interval" must be "hour", "day" or "month".',
};

const NO_CLICKS = { clicks: 0, visitors: 0, bots: 0 };

const doc: Operation = {
  id: 'readAnalytics',
  tag: 'Analytics',
  summary: 'Read who clicks a link',
  description: `Clicks of a link over a range of UTC days: in all, as a series, and by where they came from. A click is counted
within seconds. \`clicks\`, \`visitors\` and the lists are of people; known bots are counted in \`bots\` alone. No address of
a visitor is kept, so visitors are told apart within one UTC day only. In the lists a \`name\` of null stands for what
the client did not tell, and \`other\` for names not recognised or too rare to be kept.

A service may keep the counts of long ago by the month alone. Where a range has such a month, the answer is by the month whatever
was asked: its \`interval\` is \`month\`, and \`from\` and \`to\` are the first and last day of what it covers, which may be more
than was asked for.`,
  path: LINK_PARAMETERS,
  query: {
    schema: AnalyticsQuery,
    about: {
      from: { description: 'The first UTC day. Without it, the thirtieth day up to `to`.', example: '2026-07-01' },
      to: { description: 'The last UTC day, included. Without it, today.', example: '2026-07-31' },
      interval: {
        description: `Of the series. At most ${ANALYTICS_RANGE.hour} days by hour, ${ANALYTICS_RANGE.day} by day and ${ANALYTICS_RANGE.month} by month.`,
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

/** `GET /api/v1/analytics/{shortCode}`: who clicked one link of the key's account. */
export function analyticsEndpoint(services: Services): Endpoint {
  return {
    method: 'GET',
    path: '/api/v1/analytics/:shortCode',
    access: 'read',
    scope: 'read',
    doc,
    async handle(context) {
      const link = await findOwnLink(context, services);
      const { data, error } = AnalyticsQuery.safeParse(context.req.query());
      if (error) throw invalid(SENTENCES[String(error.issues[0]?.path[0])] ?? 'The query is not valid.');
      const kept = await readClicks(services.store, link.id, rangeOf(data, services.clock()));
      const { interval, analysis } = analyzeStoredClicks(kept, data.interval);
      const { range } = kept;
      const { sum, series, names } = analysis;
      const { referrers, browsers, systems, devices, countries } = names;
      const answer: Analytics = {
        shortCode: link.code,
        from: dayText(range.from),
        to: dayText(range.to),
        interval,
        ...sum,
        series: series.map(({ start, ...counts }) => ({ start: new Date(start).toISOString(), ...counts })),
        referrers: referrers.map(share),
        browsers: browsers.map(share),
        systems: systems.map(share),
        devices: devices.map(share),
        countries: countries.map(share),
      };
      return context.json(answer);
    },
  };
}

function rangeOf({ from, to, interval }: AnalyticsQuery, now: number): Range {
  const last = to === undefined ? dayOf(now) : namedDay('to', to);
  const first = from === undefined ? Math.max(FIRST_DAY, last - STANDARD_DAYS + 1) : namedDay('from', from);
  if (first > last) throw invalid('"from" must not be after "to", which is today where it is left out.');
  const most = ANALYTICS_RANGE[interval];
  if (last - first >= most) throw invalid(`A series by ${interval} covers at most ${most} days.`);
  return { from: first, to: last };
}

function namedDay(field: 'from' | 'to', text: string): number {
  const day = dayOf(Date.parse(text));
  if (day < FIRST_DAY) throw invalid(`"${field}" must not be before 1970-01-01.`);
  return day;
}

function dayText(day: number): string {
  return new Date(startOf(day)).toISOString().slice(0, 10);
}

function share([name, clicks]: [string, number]): Analytics['referrers'][number] {
  return { name: name === UNKNOWN ? null : name, clicks };
}

function invalid(sentence: string): ApiError {
  return new ApiError('invalid_request', { sentence });
}
