import sql, { bulk, join } from 'sql-template-tag';
import type { ApiKey } from '../../domain/accounts/api-keys.ts';
import {
  type CachedResponse,
  decideCreate,
  decideReplay,
  limitsLeft,
} from '../../domain/limits/accept-or-refuse-create.ts';
import { UNSPENT } from '../../domain/limits/account-quotas.ts';
import type { Idempotency } from '../../domain/limits/idempotency-key.ts';
import type {
  CreateItem,
  CreateOutcome,
  CreateRequest,
  CreateRequestStore,
  JsonResponse,
} from '../interface/create-request-store.ts';
import { insertLinks } from './insert-links.ts';
import { lockAccountUsage, lockKeyUsage, readUsage, writeAccountUsage, writeKeyUsage } from './limit-usage.ts';
import { PREPARED, type Run, type SharedDatabase } from './sql-runner.ts';

/**
 * Maximum number of cached responses that one statement deletes. Other writes wait for the statement, so the number is
 * small.
 */
const DELETED_AT_ONCE = 1000;

export function createRequestStore(database: SharedDatabase): CreateRequestStore {
  const { read, write, transaction, now } = database;
  return {
    submit: (request) => transaction(({ run }) => createRequest(run, database, request)),
    left: async (key, of) => limitsLeft(of, await readUsage(read, key, 'links'), await now(read)),
    async forget(before) {
      let deleted = 0;
      for (;;) {
        const some = await write(sql`DELETE FROM cached_responses WHERE (key_id, endpoint, idempotency_key) IN (
            SELECT key_id, endpoint, idempotency_key FROM cached_responses WHERE created_at <= ${before}
            ORDER BY created_at LIMIT ${DELETED_AT_ONCE}
          ) RETURNING key_id`);
        deleted += some.length;
        if (some.length < DELETED_AT_ONCE) return deleted;
      }
    },
  };
}

/**
 * Handles a request in a transaction. Requests with the same API key or account are handled one after another, because
 * each locks the row with the usage. The time is read after locking, because waiting for a lock can take a long time.
 */
async function createRequest(run: Run, database: SharedDatabase, request: CreateRequest): Promise<CreateOutcome> {
  const { key, limits: keyLimits, accountQuota, idempotency } = request;
  const before = {
    key: await lockKeyUsage(run, database, key.id),
    account: accountQuota === null ? UNSPENT : await lockAccountUsage(run, database, key.accountId, 'links'),
  };
  const now = await database.now(run);
  const cached = idempotency ? await findCached(run, key, idempotency) : null;
  const order = { limits: keyLimits, accountQuota, fingerprint: idempotency?.fingerprint ?? null };
  const { action, charges, limits } = decideCreate(order, before, cached, now);
  if (charges.key !== before.key) await writeKeyUsage(run, key.id, charges.key);
  if (charges.account !== before.account) await writeAccountUsage(run, key.accountId, 'links', charges.account);
  switch (action) {
    case 'replay':
      return { kind: 'replayed', response: responseOf(cached as CachedRow), limits };
    case 'reuse':
      return { kind: 'reused', limits };
    case 'throttle':
    case 'quota':
      return { kind: 'refused', by: action, limits };
    case 'make':
      return { kind: 'answered', response: await makeLinks(run, database, request, now), limits };
  }
}

/** Creates the links of a request that was accepted, and caches the responses that have an idempotency key. */
async function makeLinks(
  run: Run,
  { foldsCase }: SharedDatabase,
  { key, items, idempotency, respond }: CreateRequest,
  now: number,
): Promise<JsonResponse> {
  const cached = await findCachedItems(run, key, items);
  const fresh = freshItems(items, cached, now);
  const owner = { accountId: key.accountId, keyId: key.id, ownKeyId: key.ownLinksOnly ? key.id : null };
  const links = fresh.map(({ link }) => ({ ...link, ...owner, createdAt: now }));
  const results = await insertLinks(run, links, foldsCase);
  const responses = new Map(fresh.map((item, index) => [item, item.respond(results[index]?.made ?? 'taken')]));
  const created: CachedRow[] = [];
  for (const [item, response] of responses) {
    if (!item.idempotency) continue;
    const row = rowOf(item.idempotency, response, now);
    created.push(row);
    cached.set(identityOf(row), row);
  }
  const response = respond(items.map((item) => responses.get(item) ?? repeatedResponse(item, cached, now)));
  if (idempotency) created.push(rowOf(idempotency, response, now));
  await cacheResponses(run, key, created);
  return response;
}

/**
 * Returns the items whose links are created now. Left out are items whose idempotency key was used before, by an
 * earlier request or by an earlier item of this request.
 */
function freshItems(items: CreateItem[], cached: Map<string, CachedRow>, now: number): CreateItem[] {
  const seen = new Set<string>();
  return items.filter(({ idempotency }) => {
    if (!idempotency) return true;
    const identity = identityOf(idempotency);
    const isFirst = !seen.has(identity);
    seen.add(identity);
    return isFirst && decideReplay(idempotency.fingerprint, cached.get(identity) ?? null, now) === 'make';
  });
}

function repeatedResponse({ idempotency, respond }: CreateItem, cached: Map<string, CachedRow>, now: number) {
  const row = idempotency ? cached.get(identityOf(idempotency)) : undefined;
  const isReplayed = row && decideReplay(idempotency?.fingerprint ?? null, row, now) === 'replay';
  return isReplayed ? responseOf(row) : respond('reused');
}

interface CachedRow extends CachedResponse, Idempotency, JsonResponse {}

const COLUMNS = sql`endpoint, idempotency_key AS key, fingerprint, status, body, location, created_at AS "createdAt"`;

function rowOf(idempotency: Idempotency, response: JsonResponse, now: number): CachedRow {
  return { ...idempotency, ...response, createdAt: now };
}

function responseOf({ status, body, location }: CachedRow): JsonResponse {
  return { status, body, location };
}

function identityOf({ endpoint, key }: Pick<Idempotency, 'endpoint' | 'key'>): string {
  return `${endpoint} ${key}`;
}

async function findCached(run: Run, { id }: ApiKey, { endpoint, key }: Idempotency): Promise<CachedRow | null> {
  const [row] = await run<CachedRow>(
    sql`SELECT ${COLUMNS} FROM cached_responses
      WHERE key_id = ${id} AND endpoint = ${endpoint} AND idempotency_key = ${key}`,
    PREPARED,
  );
  return row ?? null;
}

async function findCachedItems(run: Run, { id }: ApiKey, items: CreateItem[]): Promise<Map<string, CachedRow>> {
  const asked = items.flatMap(({ idempotency }) => idempotency ?? []);
  if (asked.length === 0) return new Map();
  const endpoints = [...new Set(asked.map(({ endpoint }) => endpoint))];
  const keys = [...new Set(asked.map(({ key }) => key))];
  const rows = await run<CachedRow>(sql`SELECT ${COLUMNS} FROM cached_responses
    WHERE key_id = ${id} AND endpoint IN (${join(endpoints)}) AND idempotency_key IN (${join(keys)})`);
  return new Map(rows.map((row) => [identityOf(row), row]));
}

async function cacheResponses(run: Run, { id }: ApiKey, cached: CachedRow[]): Promise<void> {
  if (cached.length === 0) return;
  const rows = cached.map(({ endpoint, key, fingerprint, status, body, location, createdAt }) => {
    return [id, endpoint, key, fingerprint, status, body, location, createdAt];
  });
  await run(
    sql`INSERT INTO cached_responses
        (key_id, endpoint, idempotency_key, fingerprint, status, body, location, created_at)
      VALUES ${bulk(rows)} ON CONFLICT (key_id, endpoint, idempotency_key) DO UPDATE SET
        fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
        location = excluded.location, created_at = excluded.created_at`,
    rows.length === 1 ? PREPARED : undefined,
  );
}
