import type { ApiKey } from '../../domain/accounts/api-keys.ts';
import type { Clock } from '../../domain/clock-and-random.ts';
import { decideCreate, decideReplay, limitsLeft } from '../../domain/limits/accept-or-refuse-create.ts';
import { type ChargedQuota, chargeQuota, type QuotaName, UNSPENT } from '../../domain/limits/account-quotas.ts';
import type { Idempotency } from '../../domain/limits/idempotency-key.ts';
import { type LimitState, UNUSED } from '../../domain/limits/key-limits.ts';
import type { DayUsage } from '../../domain/limits/throttle-and-quota.ts';
import type { NewLink, StoredLink } from '../../domain/links/stored-link.ts';
import type {
  CreateOutcome,
  CreateRequest,
  CreateRequestStore,
  CreateResult,
} from '../interface/create-request-store.ts';
import {
  type CachedResponseRow,
  cachedLink,
  fromColumns,
  limitsOf,
  madeLink,
  toColumns,
} from '../sql/cached-response-columns.ts';
import { TAG_ROW, tagRows, writeFlag } from '../sql/link-tags.ts';
import type { LinkResult, LinkToMake } from '../sql/sql-runner.ts';
import type { Database } from './sqlite-connection.ts';

export function openCharges(database: Pick<Database, 'prepare'>) {
  const readKey = database.prepare('SELECT open_at AS openAt, day, used FROM key_limits WHERE key_id = ?');
  const writeKey = database.prepare(
    `INSERT INTO key_limits (key_id, open_at, day, used) VALUES (?, ?, ?, ?)
     ON CONFLICT (key_id) DO UPDATE SET open_at = excluded.open_at, day = excluded.day, used = excluded.used`,
  );
  const readAccount = database.prepare('SELECT day, used FROM quotas WHERE account_id = ? AND quota = ?');
  const writeAccount = database.prepare(
    `INSERT INTO quotas (account_id, quota, day, used) VALUES (?, ?, ?, ?)
     ON CONFLICT (account_id, quota) DO UPDATE SET day = excluded.day, used = excluded.used`,
  );

  return {
    key: (id: number) => (readKey.get(id) as unknown as LimitState | undefined) ?? UNUSED,
    chargeKey: (id: number, { openAt, day, used }: LimitState) => writeKey.run(id, openAt, day, used),
    account: (id: number, quota: QuotaName) =>
      (readAccount.get(id, quota) as unknown as DayUsage | undefined) ?? UNSPENT,
    chargeAccount: (id: number, quota: QuotaName, { day, used }: DayUsage) => writeAccount.run(id, quota, day, used),
  };
}

/**
 * Returns a function that creates a link in the open transaction. Each link has one or more candidates for its short
 * code, which are tried in order. The unique constraint detects taken codes, so a separate lookup is not needed.
 *
 * If case is ignored, older codes that differ only in case count as taken too. New codes are in lower case, so the
 * constraint also detects equal codes that are created at the same time.
 */
export function linkMaker({ prepare }: Pick<Database, 'prepare'>, foldsCase: boolean) {
  const isFree = foldsCase ? 'NOT EXISTS (SELECT 1 FROM links WHERE lower(code) = ?1)' : 'true';
  const insert = prepare(
    `INSERT INTO links (code, url, account_id, key_id, own_key_id, title, created_at, expires_at, forward_query,
       imported_clicks)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 WHERE ${isFree} ON CONFLICT (code) DO NOTHING RETURNING id`,
  );
  const insertTag = prepare(`INSERT INTO link_tags (${TAG_ROW}) VALUES (?, ?, ?, ?, ?, ?)`);

  const beginTotal = prepare('INSERT INTO click_totals (link_id, account_id, clicks) VALUES (?, ?, 0)');

  return ({ codes, ownKeyId, ...link }: LinkToMake): LinkResult => {
    const { url, accountId, keyId, title, createdAt, expiresAt, forwardQuery, importedClicks = 0 } = link;
    const values = [url, accountId, keyId, ownKeyId, title, createdAt, expiresAt, writeFlag(forwardQuery)];
    const tried: string[] = [];
    for (const code of codes) {
      tried.push(code);
      const row = insert.get(code, ...values, importedClicks);
      if (!row) continue;
      beginTotal.run(row.id as number, accountId);
      const fresh = { deletedAt: null, undoUntil: null, clicks: 0, importedClicks };
      const made: StoredLink = { ...link, ...fresh, id: row.id as number, code };
      for (const tag of tagRows(made)) insertTag.run(...tag);
      return { tried, made };
    }
    return { tried, made: null };
  };
}

/**
 * Maximum number of cached responses that one statement deletes. Redirects must wait for the statement, so the number
 * is small.
 */
const DELETED_AT_ONCE = 1000;

/**
 * Creates the store that handles requests to create links on SQLite.
 *
 * @param clock provides the current time during the transaction
 */
export function createRequestStore(database: Database, clock: Clock, foldsCase: boolean): CreateRequestStore {
  const charges = openCharges(database);
  const makeLink = linkMaker(database, foldsCase);
  const findCached = database.prepare(
    `SELECT fingerprint, draft, made, created_at AS createdAt FROM cached_responses
     WHERE key_id = ? AND endpoint = ? AND idempotency_key = ?`,
  );
  const insertCached = database.prepare(
    `INSERT OR REPLACE INTO cached_responses
       (key_id, endpoint, idempotency_key, fingerprint, draft, made, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const forget = database.prepare(
    'DELETE FROM cached_responses WHERE rowid IN (SELECT rowid FROM cached_responses WHERE created_at <= ? LIMIT ?)',
  );

  function execute(request: CreateRequest): CreateOutcome {
    const now = clock();
    const { key, idempotency } = request;
    const before = chargesOf(key, request.accountQuota);
    const cached = idempotency ? cachedRow(key.id, idempotency) : null;
    const { action, charges: after, limits } = decideCreate(limitsOf(request), before, cached, now);
    if (after.key !== before.key) charges.chargeKey(key.id, after.key);
    if (after.account !== before.account) charges.chargeAccount(key.accountId, 'links', after.account);
    switch (action) {
      case 'replay':
        return { kind: 'replayed', result: fromColumns(cached as CachedResponseRow), limits };
      case 'reuse':
        return { kind: 'reused', limits };
      case 'throttle':
      case 'quota':
        return { kind: 'refused', by: action, limits };
      case 'make':
        return { kind: 'answered', result: make(request, now), limits };
    }
  }

  function chargesOf({ id, accountId }: Pick<ApiKey, 'id' | 'accountId'>, accountQuota: number | null) {
    const account = accountQuota === null ? UNSPENT : charges.account(accountId, 'links');
    return { key: charges.key(id), account };
  }

  function cachedRow(keyId: number, { endpoint, key }: Idempotency): CachedResponseRow | null {
    return (findCached.get(keyId, endpoint, key) as unknown as CachedResponseRow | undefined) ?? null;
  }

  function make({ key, draft, links, idempotency }: CreateRequest, now: number): CreateResult {
    const result = { draft, made: links.map((link) => makeOnce(link, key, now)) };
    if (idempotency) cacheResult(key.id, idempotency, result, now);
    return result;
  }

  function makeOnce({ idempotency, ...link }: NewLink, key: ApiKey, now: number): CreateResult['made'][number] {
    const cached = idempotency ? cachedRow(key.id, idempotency) : null;
    const repeat = decideReplay(idempotency?.fingerprint ?? null, cached, now);
    if (repeat === 'reuse') return 'reused';
    if (repeat === 'replay') return cachedLink(cached as CachedResponseRow);
    const owner = { accountId: key.accountId, keyId: key.id, ownKeyId: key.ownLinksOnly ? key.id : null };
    const made = madeLink(makeLink({ ...link, ...owner, createdAt: now }).made);
    if (idempotency) cacheResult(key.id, idempotency, { draft: idempotency.draft, made: [made] }, now);
    return made;
  }

  function cacheResult(
    keyId: number,
    { endpoint, key, fingerprint }: Idempotency,
    result: CreateResult,
    now: number,
  ): void {
    const { draft, made } = toColumns(result);
    insertCached.run(keyId, endpoint, key, fingerprint, draft, made, now);
  }

  return {
    submit: (request) => database.write(() => execute(request)),
    left: async (key, of) => limitsLeft(of, chargesOf(key, of.accountQuota), clock()),
    async forget(before) {
      let deleted = 0;
      for (;;) {
        const some = await database.write(() => Number(forget.run(before, DELETED_AT_ONCE).changes));
        deleted += some;
        if (some < DELETED_AT_ONCE) return deleted;
      }
    },
  };
}

/** Returns a function that charges an account's daily quota in the open transaction. */
export function quotaCharger(database: Pick<Database, 'prepare'>, clock: Clock) {
  const charges = openCharges(database);
  return (accountId: number, quota: QuotaName, units: number, max: number): ChargedQuota => {
    const { use, spent } = chargeQuota(max, charges.account(accountId, quota), units, clock());
    if (spent.granted > 0) charges.chargeAccount(accountId, quota, use);
    return spent;
  };
}
