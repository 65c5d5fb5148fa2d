import type { FakeLink } from '../conformance/fake-server.ts';

/** A link of the fake, with the fields that only Kutt has. */
export interface KuttLink extends FakeLink {
  id: string;
  password: string | null;
  createdAt: number;
  updatedAt: number;
}

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

/** Time without milliseconds, because the database stores seconds. */
export function toSeconds(time: number): string {
  return new Date(Math.floor(time / 1_000) * 1_000).toISOString();
}

function toSqlTime(time: number): string {
  return toSeconds(time).slice(0, 19).replace('T', ' ');
}
