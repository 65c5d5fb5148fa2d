import type { FakeLink } from '../conformance/fake-server.ts';

/** A link of the fake, with the fields that only Kutt has. */
export interface KuttLink extends FakeLink {
  id: string;
  password: string | null;
  createdAt: number;
  updatedAt: number;
  visits: { at: number; referrer: string }[];
}

/** Statistics periods: their name, the number of values, and the length of one value in milliseconds. */
const PERIODS = [
  ['lastYear', 12, 2_629_800_000],
  ['lastDay', 24, 3_600_000],
  ['lastMonth', 30, 86_400_000],
  ['lastWeek', 7, 86_400_000],
] as const;

/** Settings of the server that appear in its links. */
interface Site {
  linkScheme: 'http' | 'https';
  defaultDomain: string;
  database: 'sqlite' | 'mysql';
}

/** A link as Kutt returns it. */
export function toJson(
  { id, shortCode, url, domain, title, expiresAt, password, createdAt, updatedAt, clicks }: KuttLink,
  server: Site,
) {
  const scheme = domain === null ? server.linkScheme : 'http';
  return {
    id,
    address: shortCode,
    banned: false,
    created_at: toSeconds(createdAt),
    updated_at: toSeconds(updatedAt),
    password: password !== null,
    description: title,
    // SQLite returns UTC without a time zone.
    expire_in: expiresAt && (server.database === 'sqlite' ? toSqlTime(expiresAt) : toSeconds(expiresAt)),
    target: url,
    visit_count: clicks,
    domain,
    link: `${scheme}://${domain ?? server.defaultDomain}/${shortCode}`,
  };
}

/** Statistics of a link, without the fields of the link. */
export function toStats({ visits }: KuttLink, now: number) {
  return Object.fromEntries(
    PERIODS.map(([name, count, unitMs]) => {
      const views = Array.from({ length: count }, (_, index) => {
        const age = count - 1 - index;
        return visits.filter(({ at }) => Math.floor((now - at) / unitMs) === age).length;
      });
      const names = visits.map(({ referrer }) =>
        referrer ? new URL(referrer).host.replaceAll('.', '[dot]') : 'direct',
      );
      const referrer = [...new Set(names)].map((one) => ({
        name: one,
        value: names.filter((other) => other === one).length,
      }));
      const stats = { browser: [{ name: 'chrome', value: visits.length }], os: [], country: [], referrer };
      return [name, { stats, views, total: views.reduce((sum, value) => sum + value, 0) }];
    }),
  );
}

/** Time without milliseconds, because the database stores seconds. */
export function toSeconds(time: number): string {
  return new Date(Math.floor(time / 1_000) * 1_000).toISOString();
}

function toSqlTime(time: number): string {
  return toSeconds(time).slice(0, 19).replace('T', ' ');
}
