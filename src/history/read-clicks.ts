import { Analytics } from '@terse/contract/analytics';
import type { Connection, Link } from '../queue/types.ts';
import { askAboutLink } from './ask-service.ts';
import { type ServiceProblem, serviceProblem } from './service-problem.ts';

/** The clicks of a link in the last thirty days, day by day; instants in milliseconds. */
export interface Clicks {
  from: number;
  to: number;
  clicks: number;
  visitors: number;
  bots: number;
  series: { start: number; clicks: number }[];
  /** Hosts that people came from, most clicks first: untrusted. */
  referrers: { name: string; clicks: number }[];
}

/** No range that is asked for has more. */
const MOST_BARS = 62;
const MOST_REFERRERS = 5;
const LONGEST_NAME = 200;

/** Asks a service when a link was clicked. Costs nothing of the budget. */
export async function readClicks(connection: Connection, link: Link): Promise<Clicks | { problem: ServiceProblem }> {
  const answer = await askAboutLink(connection, 'analytics', link.shortCode, { method: 'GET' });
  const problem = serviceProblem(answer);
  if (problem) return { problem };
  const parsed = Analytics.safeParse(answer.problem ? null : answer.body);
  if (!parsed.success) return { problem: 'not_understood' };
  const { from, to, clicks, visitors, bots, series, referrers } = parsed.data;
  return {
    from: Date.parse(from),
    to: Date.parse(to),
    clicks,
    visitors,
    bots,
    series: series.slice(-MOST_BARS).map((one) => ({ start: Date.parse(one.start), clicks: one.clicks })),
    referrers: referrers
      .flatMap(({ name, clicks }) => (name ? [{ name: name.slice(0, LONGEST_NAME), clicks }] : []))
      .slice(0, MOST_REFERRERS),
  };
}
