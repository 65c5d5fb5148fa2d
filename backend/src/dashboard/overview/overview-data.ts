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
import { type BudgetLeft, type KeyUse, spendBudget, useOfKey } from '../remaining-quota.ts';

/** Links in each list, and keys whose budget is shown. Every key is a question of its own. */
const [MOST_LINKS, MOST_KEYS] = [5, 5];

/** The clicks of a period, and what they are compared with. */
export interface PeriodClicks {
  hours: Compared;
  soFar: number;
  whole: number;
  /** Null where not all clicks of that time were added up. */
  before: number | null;
}

/** What an account's first page shows. It costs as much for a million links as for one. */
export interface Overview {
  day: PeriodClicks;
  month: PeriodClicks;
  /** The first hour that the clicks of all links are added up for; null where that is every hour. */
  since: number | null;
  top: StoredLink[];
  latest: StoredLink[];
  left: {
    /** Null where nothing bounds the account. */
    links: BudgetLeft | null;
    rows: BudgetLeft | null;
    /** The keys used last. */
    keys: KeyUse[];
    hasMoreKeys: boolean;
    resetAt: number;
  };
}

export async function overviewOf(services: Services, accountId: number): Promise<Overview> {
  const { store, clock } = services;
  const now = Math.floor(clock() / 3_600_000);
  const [day, month] = [comparedDays(now), comparedMonths(now)];
  const first = Math.min(day.before.from, month.before.from);
  const [counted, since, top, latest, links, rows, keys] = await Promise.all([
    store.clicks.accountHours(accountId, first, now),
    store.clicks.accountHoursSince(),
    store.links.list(accountId, null, MOST_LINKS, 'clicks'),
    store.links.list(accountId, null, MOST_LINKS),
    spendBudget(services, accountId, 'links', 0),
    spendBudget(services, accountId, 'rows', 0),
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
      keys: await Promise.all(active.slice(0, MOST_KEYS).map((key) => useOfKey(services, key))),
      hasMoreKeys: active.length > MOST_KEYS,
      resetAt: startOf(dayOf(clock()) + 1),
    },
  };
}

function byLastUse(one: ApiKey, other: ApiKey): number {
  return (other.lastUsedAt ?? 0) - (one.lastUsedAt ?? 0) || other.id - one.id;
}
