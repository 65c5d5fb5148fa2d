import type { ApiKey } from '../../domain/accounts/api-keys.ts';
import { clicksIn, comparedDays, dayOf, hourNumber, startOf } from '../../domain/analytics/calendar.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import type { Bar } from '../components/click-chart.ts';
import { type KeyUsage, type RemainingQuota, readKeyUsage, readQuota } from '../remaining-quota.ts';
import type { Services } from '../services.ts';

/** Maximum number of links in each list of the overview. */
const MAX_LINKS = 5;

/** Number of UTC days that the chart shows, including today. */
export const DAYS_SHOWN = 30;

export interface Overview {
  /** Clicks per day. */
  bars: Bar[];
  today: number;
  /**
   * Difference between today's and yesterday's clicks, in percent. Only the complete hours of today are compared with
   * the same hours of yesterday. Null if yesterday had no clicks in these hours.
   */
  change: number | null;
  latest: StoredLink[];
  top: StoredLink[];
  /** Daily quota of the account. Null if the account has no quota. */
  quota: RemainingQuota | null;
  /** Most recently used API key. Null if the account has no API key. */
  key: KeyUsage | null;
  resetAt: number;
  now: number;
}

export async function readOverview(services: Services, accountId: number): Promise<Overview> {
  const { store, clock } = services;
  const now = clock();
  const today = dayOf(now);
  const hour = Math.floor(now / 3_600_000);
  const first = today - DAYS_SHOWN + 1;
  const [counted, latest, top, quota, keys] = await Promise.all([
    store.clicks.accountHours(accountId, hourNumber(first, 0), hour),
    store.links.list(accountId, null, MAX_LINKS),
    store.links.list(accountId, null, MAX_LINKS, 'clicks'),
    readQuota(services, accountId, 'links'),
    store.keys.list(accountId),
  ]);
  const { soFar, whole, before } = comparedDays(hour);
  const clicksBefore = clicksIn(before, counted);
  const bars = Array.from({ length: DAYS_SHOWN }, (_, at) => {
    const hours = { from: hourNumber(first + at, 0), to: hourNumber(first + at + 1, 0) };
    return { start: startOf(first + at), clicks: clicksIn(hours, counted) };
  });
  const key = keys.filter(({ revokedAt }) => revokedAt === null).sort(byLastUse)[0];
  return {
    bars,
    today: clicksIn(soFar, counted),
    change: clicksBefore === 0 ? null : Math.round((clicksIn(whole, counted) / clicksBefore - 1) * 100),
    latest,
    top: top.filter(({ clicks }) => clicks > 0),
    quota,
    key: key ? await readKeyUsage(services, key) : null,
    resetAt: startOf(today + 1),
    now,
  };
}

function byLastUse(one: ApiKey, other: ApiKey): number {
  return (other.lastUsedAt ?? 0) - (one.lastUsedAt ?? 0) || other.id - one.id;
}
