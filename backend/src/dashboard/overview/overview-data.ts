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

/** Number of links per list. */
const MAX_LINKS = 5;

/** Maximum number of API keys whose quota is shown. Each key costs a query. */
const MAX_KEYS_SHOWN = 5;

/** Clicks in a period and in the previous period. */
export interface PeriodClicks {
  hours: Compared;
  soFar: number;
  whole: number;
  /** Clicks in the previous period, or null if the server did not count all of them. */
  before: number | null;
}

export interface Overview {
  day: PeriodClicks;
  month: PeriodClicks;
  /** First hour with a complete count of the account's clicks, or null if all hours are complete. */
  since: number | null;
  top: StoredLink[];
  latest: StoredLink[];
  left: {
    /** Null if the account has no quota. */
    links: RemainingQuota | null;
    rows: RemainingQuota | null;
    /** Most recently used API keys. */
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
