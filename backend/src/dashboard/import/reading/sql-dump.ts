/** Its `^` is not followed by `\s*`, which would scan a run of blank lines again from each of them. */
export const STATEMENT =
  /^[ \t]*(?:INSERT\s+INTO|COPY\s+\S+\s*\(|CREATE\s+(?:TABLE|DATABASE)|DROP\s+TABLE|LOCK\s+TABLES|BEGIN(?:\s+TRANSACTION)?\s*;|PRAGMA\s+\w+|SET\s+[\w@]+\s*=|SELECT\s+pg_catalog)|^--.*\bdump\b|^\/\*!\d{5}/im;

/** What to export instead, by what a dump of the service's database names. The first that fits. */
const INSTEAD: [sign: RegExp, advice: string][] = [
  [
    /_url`?\s*(?:\(|VALUES)[^;]{0,200}\bkeyword\b|yourls/i,
    'YOURLS: export with its Import Export plugin (CSV, XML or RSS), or save what its API answers to action=stats as JSON.',
  ],
  [/\bsecret_key\b|\bis_disabled\b|\blong_url_hash\b/i, 'Polr: export its table “links” as CSV with a header.'],
  [
    /\bshort_urls\b|\bvisit_locations\b/i,
    'Shlink: export the short URLs as CSV in its web client, or save what its REST API answers as JSON.',
  ],
  [
    /\bvisit_count\b|\bexpire_in\b|\bbanned_by_id\b|INTO [`"]links[`"] VALUES ?\(\d+,'[^']*',(?:'|NULL)/i,
    'Kutt: save what its API answers to GET /api/v2/links?limit=50 (page by page, with skip) as JSON.',
  ],
  [/\bexpiry_time\b/i, 'chhoto-url: save what its API answers to GET /api/all as JSON.'],
];

const OTHERWISE = 'Export the table of links as CSV with a header instead.';

/** What to say to whoever chose a dump of a database; null where a text is none. */
export function sqlDump(head: string): string | null {
  if (!STATEMENT.test(head)) return null;
  const advice = INSTEAD.find(([sign]) => sign.test(head))?.[1];
  return `This file is an SQL dump, which cannot be imported. ${advice ? `From ${advice}` : OTHERWISE}`;
}
