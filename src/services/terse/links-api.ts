import { Analytics } from '@terse/contract/analytics';
import { ErrorBody, ownErrorCode } from '@terse/contract/errors';
import { Link } from '@terse/contract/links';
import { askAboutLink } from '../../link-sync/edit-and-delete-link.ts';
import type { ServiceAnswer } from '../../messages/protocol.ts';
import type { Connection, Link as LinkFromTypes } from '../../queue/types.ts';
import type { ListedLink } from '../../storage/merge-service-links.ts';

/** No service of the contract takes longer ones; in UTF-16 units. */
const LONGEST = { shortCode: 512, url: 4_096, title: 1_000, cursor: 2_048 };

/** One page of a service's list. */
export interface LinkListPage {
  links: ListedLink[];
  /** Records that are no links. */
  unreadable: number;
  /** Null: it was the last page. */
  nextCursor: string | null;
}

/** Reads one page of a list, record by record: one that is no link costs nobody the others. Null: it is no such page. */
export function parseLinkList(body: unknown): LinkListPage | null {
  const { links, nextCursor } = (body ?? {}) as { links?: unknown; nextCursor?: unknown };
  if (!Array.isArray(links)) return null;
  if (nextCursor !== null && (typeof nextCursor !== 'string' || nextCursor.length > LONGEST.cursor)) return null;
  const read = links.map(parseListedLink).filter((link) => link !== null);
  return { links: read, unreadable: links.length - read.length, nextCursor: nextCursor || null };
}

/** A link of the contract, with instants as numbers; null where it is none. */
export function parseListedLink(record: unknown): ListedLink | null {
  const parsed = Link.safeParse(record);
  if (!parsed.success) return null;
  const { shortCode, shortUrl, url, title, createdAt, expiresAt, clicks } = parsed.data;
  if (shortCode === '' || shortCode.length > LONGEST.shortCode || url.length > LONGEST.url) return null;
  return {
    shortCode,
    shortUrl,
    url,
    title: title === null ? null : title.slice(0, LONGEST.title),
    createdAt: Date.parse(createdAt),
    expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
    clicks,
  };
}

/**
 * What a service tells of a short code: only whether one of the key's own links has it (`yours`) or had it (`retired`),
 * or none (`none`). Whether somebody else has it, nobody is told. `unknown`: it does not say, or did not answer.
 */
export type CodeUse = 'yours' | 'retired' | 'none' | 'unknown';

/** Looks a short code up at a service that has links. A read costs none of the budget. */
export async function lookUpCode(connection: Connection, code: string): Promise<CodeUse> {
  const answer = await askAboutLink(connection, 'urls', code, { method: 'GET' });
  if (answer.problem) return 'unknown';
  if (parseListedLink(answer.body)?.shortCode === code) return 'yours';
  const error = ownErrorCode(answer.status, answer.body);
  if (error === 'not_found') return 'none';
  return error === 'gone' ? 'retired' : 'unknown';
}

/** Why a service did not do what was asked of its links; each has sentences in `_locales` under `service_<problem>`. */
export type ServiceProblem =
  | 'no_connection'
  | 'permission'
  | 'unauthorized'
  | 'forbidden'
  | 'cannot_list'
  | 'gone'
  | 'throttled'
  | 'redirected'
  | 'unreachable'
  | 'not_understood'
  | 'refused';

/** Returns what an answer says went wrong; null if nothing did. A gateway's own page is an answer not understood. */
export function serviceProblem(answer: ServiceAnswer): ServiceProblem | null {
  if (answer.problem) return answer.problem;
  const { status, body } = answer;
  if (status >= 200 && status < 300) return null;
  if (status === 429) return 'throttled';
  if (status >= 500) return 'unreachable';
  const code = ownErrorCode(status, body);
  if (code === 'not_found' || code === 'gone') return 'gone';
  if (!ErrorBody.safeParse(body).success || status === 404 || status === 410) return 'not_understood';
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  return status === 405 ? 'cannot_list' : 'refused';
}

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
export async function readClicks(
  connection: Connection,
  link: LinkFromTypes,
): Promise<Clicks | { problem: ServiceProblem }> {
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
