import type { ApiKey } from '../../domain/accounts/stored-key.ts';
import {
  type Compared,
  clicksIn,
  comparedDays,
  comparedMonths,
  dayOf,
  startOf,
} from '../../domain/analytics/calendar.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import type { Services } from '../page-definition.ts';
import { type KeyUsage, type RemainingQuota, readKeyUsage, spendQuota } from '../remaining-quota.ts';

/** Number of links in each list. */
const MAX_LINKS = 5;

/** Maximum number of keys whose quota is shown. Each one costs a query. */
const MAX_KEYS_SHOWN = 5;

/** Clicks of a period, and of the previous period they are compared with. */
export interface PeriodClicks {
  hours: Compared;
  soFar: number;
  whole: number;
  /** Clicks of the previous period; null if they were not all counted. */
  before: number | null;
}

/** Contents of the overview page. Reading them takes as long for a million links as for one. */
export interface Overview {
  day: PeriodClicks;
  month: PeriodClicks;
  /** First hour for which the clicks of the whole account are counted; null if every hour is. */
  since: number | null;
  top: StoredLink[];
  latest: StoredLink[];
  left: {
    /** Null if the account has no quota. */
    links: RemainingQuota | null;
    rows: RemainingQuota | null;
    /** Most recently used keys. */
    keys: KeyUsage[];
    hasMoreKeys: boolean;
    resetAt: number;
  };
}

export async function readOverview(services: Services, accountId: number): Promise<Overview> {
  const { store, clock } = services;
  const now = Math.floor(clock() / 3_600_000);
  const [day, month] = [comparedDays(now), comparedMonths(now)];
  const first = Math.min(day.before.from, month.before.from);
  const [counted, since, top, latest, links, rows, keys] = await Promise.all([
    store.clicks.accountHours(accountId, first, now),
    store.clicks.accountHoursSince(),
    store.links.list(accountId, null, MAX_LINKS, 'clicks'),
    store.links.list(accountId, null, MAX_LINKS),
    spendQuota(services, accountId, 'links', 0),
    spendQuota(services, accountId, 'rows', 0),
    store.keys.list(accountId),
  ]);
  const period = (hours: Compared): PeriodClicks => ({
    hours,
    soFar: clicksIn(hours.soFar, counted),
    whole: clicksIn(hours.whole, counted),
    before: since !== null && hours.before.from < since ? null : clicksIn(hours.before, counted),
  });
  const active = keys.filter(({ revokedAt }) => revokedAt === null).sort(byLastUse);
  return {
    day: period(day),
    month: period(month),
    since,
    top: top.filter(({ clicks }) => clicks > 0),
    latest,
    left: {
      links,
      rows,
      keys: await Promise.all(active.slice(0, MAX_KEYS_SHOWN).map((key) => readKeyUsage(services, key))),
      hasMoreKeys: active.length > MAX_KEYS_SHOWN,
      resetAt: startOf(dayOf(clock()) + 1),
    },
  };
}

function byLastUse(one: ApiKey, other: ApiKey): number {
  return (other.lastUsedAt ?? 0) - (one.lastUsedAt ?? 0) || other.id - one.id;
}
