/** What a row of a file can say about a link. */
export type Column = 'code' | 'url' | 'title' | 'createdAt' | 'expiresAt' | 'password' | 'banned';

/**
 * The column names to look for, in lower case and without spaces and signs, the best first:
 * Terse's own export (`shortCode,shortUrl,url,title,createdAt,expiresAt,clicks`);
 * Shlink's web client (`createdAt,domain,shortCode,shortUrl,longUrl,title,tags,visits`);
 * Kutt, which has no file of its own, its `links` table or the records of its API (`address,target,description,
 * created_at,expire_in,password,banned,visit_count…`);
 * YOURLS, its `yourls_url` table (`keyword,url,title,timestamp,ip,clicks`) or its import/export plugin
 * (`source,target,hits`).
 */
const NAMES: Record<Column, readonly string[]> = {
  code: ['shortcode', 'keyword', 'address', 'source', 'code', 'slug'],
  url: ['longurl', 'target', 'url', 'originalurl', 'destination'],
  title: ['title', 'description'],
  createdAt: ['createdat', 'timestamp', 'datecreated', 'created'],
  expiresAt: ['expiresat', 'expirein', 'validuntil', 'expires'],
  password: ['password'],
  banned: ['banned'],
};

/** Which cell of a row holds which column; null where the header names no column of long URLs. */
export function findColumns(header: readonly string[]): Map<Column, number> | null {
  const names = header.map((name) => name.toLowerCase().replace(/[^a-z0-9]/g, ''));
  const found = new Map<Column, number>();
  for (const [column, known] of Object.entries(NAMES) as [Column, readonly string[]][]) {
    const at = known.map((name) => names.indexOf(name)).find((index) => index !== -1);
    if (at !== undefined) found.set(column, at);
  }
  return found.has('url') ? found : null;
}
