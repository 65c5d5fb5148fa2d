import sql from 'sql-template-tag';
import type { ApiKey } from '../../domain/accounts/api-keys.ts';
import {
  CACHED_FOR_MS,
  type CachedResponse,
  type ChargedQuota,
  chargeQuota,
  decideCreate,
  decideReplay,
  type Idempotency,
  type KeyUsage,
  type LimitReport,
  limitsLeft,
  UNSPENT,
  UNUSED,
} from '../../domain/limits/create-requests.ts';
import type { KeyLimits, QuotaName } from '../../domain/limits/key-limits.ts';
import type { NewLink, StoredLink } from '../../domain/links/stored-link.ts';
import { type Database, deleteSome, type Run } from './database.ts';
import { insertLink } from './link-rows.ts';

/** An authenticated request to create one or more links. It counts as one request for `limits` and `accountQuota`. */
export interface CreateRequest {
  key: ApiKey;
  limits: KeyLimits;
  /** Maximum number of requests per day for all API keys of the account together. Null if the account has no limit. */
  accountQuota: number | null;
  /** Null if the request has no valid idempotency key or if its body could not be read. */
  idempotency: Idempotency | null;
  /**
   * Creates the links of an accepted request and returns the response. Runs in the transaction, and again if the
   * transaction is repeated, so it must have no other effects.
   */
  respond(transaction: CreateTransaction): Promise<JsonResponse>;
}

export interface CreateTransaction {
  /** Waits for other requests that create several links with chosen codes, so that they do not block each other. */
  lockBatches(): Promise<void>;
  /** Creates a link. Returns null if all its short codes are taken. */
  insert(link: NewLink): Promise<StoredLink | null>;
  /**
   * Returns the cached response for an idempotency key. If there is none, calls `respond` and caches its response.
   * Returns null if the key was used for another request.
   */
  once(idempotency: Idempotency, respond: () => Promise<JsonResponse>): Promise<JsonResponse | null>;
}

/** A JSON response, which is cached so that a repeated request gets the same response. */
export interface JsonResponse {
  status: number;
  body: string;
  location: string | null;
}

/**
 * `replayed`: the response is the cached one. `refused`: a limit was exceeded. `reused`: the idempotency key belongs to
 * another request.
 */
export type CreateOutcome =
  | { kind: 'answered'; response: JsonResponse; limits: LimitReport }
  | { kind: 'replayed'; response: JsonResponse; limits: LimitReport }
  | { kind: 'refused'; by: 'throttle' | 'quota'; limits: LimitReport }
  | { kind: 'reused'; limits: LimitReport };

/** Table of the cached responses, for `deleteSome`. */
export const CACHED_RESPONSES = { table: sql`cached_responses`, key: sql`key_id, endpoint, idempotency_key` };

/** Maximum number of cached responses that one statement deletes. */
const DELETED_AT_ONCE = 1000;

/** Creates links for API requests. The current time comes from the database, so all processes use the same clock. */
export function createRequestStore(database: Database) {
  const { read, write, transaction, now } = database;
  return {
    /**
     * Handles a request to create links, in one transaction. Waits for an earlier request with the same API key or
     * account.
     */
    submit: (request: CreateRequest) => transaction((run) => createRequest(run, database, request)),
    /** Returns what is left of the limits of an API key. */
    async left(
      key: Pick<ApiKey, 'id' | 'accountId'>,
      of: Pick<CreateRequest, 'limits' | 'accountQuota'>,
    ): Promise<LimitReport> {
      const [ofKey, ofAccount] = subjectsOf(key);
      const usage = { key: await readUsage(read, ofKey), account: await readUsage(read, ofAccount) };
      return limitsLeft(of, usage, await now(read));
    },
    /**
     * Deletes the expired cached responses, but none with a time in the future. If the clock is behind, as on a computer
     * without a battery, these are all of them, and without them, repeated requests would create links twice.
     */
    async forget(now: number): Promise<void> {
      const old = { ...CACHED_RESPONSES, condition: sql`created_at <= ${now - CACHED_FOR_MS}` };
      while (await deleteSome(write, old, DELETED_AT_ONCE));
    },
  };
}

/**
 * Handles a request in a transaction. Requests with the same API key or account are handled one after another, because
 * each locks the row with the usage. The time is read after locking, because waiting for a lock can take a long time.
 */
async function createRequest(run: Run, database: Database, request: CreateRequest): Promise<CreateOutcome> {
  const { key, limits: keyLimits, accountQuota, idempotency, respond } = request;
  const [ofKey, ofAccount] = subjectsOf(key);
  const before = {
    key: await lockUsage(run, ofKey),
    account: accountQuota === null ? UNSPENT : await lockUsage(run, ofAccount),
  };
  const now = await database.now(run);
  const cached = idempotency ? await findCached(run, key, idempotency) : null;
  const order = { limits: keyLimits, accountQuota, fingerprint: idempotency?.fingerprint ?? null };
  const { action, usage, limits } = decideCreate(order, before, cached, now);
  if (usage.key !== before.key) await writeUsage(run, ofKey, usage.key);
  if (usage.account !== before.account) await writeUsage(run, ofAccount, usage.account);
  switch (action) {
    case 'replay':
      return { kind: 'replayed', response: responseOf(cached as CachedRow), limits };
    case 'reuse':
      return { kind: 'reused', limits };
    case 'throttle':
    case 'quota':
      return { kind: 'refused', by: action, limits };
    case 'make': {
      const response = await respond(createTransaction(run, database, key, now));
      if (idempotency) await cacheResponse(run, key, idempotency, response, now);
      return { kind: 'answered', response, limits };
    }
  }
}

function subjectsOf({ id, accountId }: Pick<ApiKey, 'id' | 'accountId'>): [ofKey: Subject, ofAccount: Subject] {
  return [`key ${id}`, `links ${accountId}`];
}

function createTransaction(run: Run, database: Database, key: ApiKey, now: number): CreateTransaction {
  const owner = { accountId: key.accountId, keyId: key.ownLinksOnly ? key.id : null };
  return {
    lockBatches: () => database.lock(run, 'batches'),
    insert: (link) => insertLink(run, { ...link, ...owner, createdAt: now }),
    async once(idempotency, respond) {
      const cached = await findCached(run, key, idempotency);
      const action = decideReplay(idempotency.fingerprint, cached, now);
      if (action === 'reuse') return null;
      if (action === 'replay') return responseOf(cached as CachedRow);
      const response = await respond();
      await cacheResponse(run, key, idempotency, response, now);
      return response;
    },
  };
}

interface CachedRow extends CachedResponse, JsonResponse {}

function responseOf({ status, body, location }: CachedRow): JsonResponse {
  return { status, body, location };
}

async function findCached(run: Run, { id }: ApiKey, { endpoint, key }: Idempotency): Promise<CachedRow | null> {
  const [row] = await run<CachedRow>(
    sql`SELECT fingerprint, status, body, location, created_at AS "createdAt" FROM cached_responses
      WHERE key_id = ${id} AND endpoint = ${endpoint} AND idempotency_key = ${key}`,
  );
  return row ?? null;
}

/** Caches a response. Replaces an expired response for the same idempotency key. */
async function cacheResponse(
  run: Run,
  { id }: ApiKey,
  { endpoint, key, fingerprint }: Idempotency,
  { status, body, location }: JsonResponse,
  now: number,
): Promise<void> {
  await run(
    sql`INSERT INTO cached_responses
        (key_id, endpoint, idempotency_key, fingerprint, status, body, location, created_at)
      VALUES (${id}, ${endpoint}, ${key}, ${fingerprint}, ${status}, ${body}, ${location}, ${now})
      ON CONFLICT (key_id, endpoint, idempotency_key) DO UPDATE SET
        fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
        location = excluded.location, created_at = excluded.created_at`,
  );
}

/** API key or account whose usage is stored, with the kind of its limit. */
type Subject = `key ${number}` | `${QuotaName} ${number}`;

/**
 * Returns the usage of an API key or an account, and locks it until the transaction ends. All transactions lock a key
 * before its account, which prevents deadlocks.
 */
async function lockUsage(run: Run, subject: Subject): Promise<KeyUsage> {
  // The update changes nothing. It locks the row that exists already.
  const [usage] = await run<KeyUsage>(sql`INSERT INTO limit_usage (subject, open_at, day, used)
    VALUES (${subject}, ${UNUSED.openAt}, ${UNUSED.day}, ${UNUSED.used})
    ON CONFLICT (subject) DO UPDATE SET used = limit_usage.used RETURNING open_at AS "openAt", day, used`);
  return usage as KeyUsage;
}

async function writeUsage(run: Run, subject: Subject, usage: Partial<KeyUsage>): Promise<void> {
  const { openAt, day, used } = { ...UNUSED, ...usage };
  await run(sql`UPDATE limit_usage SET open_at = ${openAt}, day = ${day}, used = ${used} WHERE subject = ${subject}`);
}

/** Returns the usage of an API key or an account, without locking it. */
async function readUsage(read: Run, subject: Subject): Promise<KeyUsage> {
  const [usage = UNUSED] = await read<KeyUsage>(
    sql`SELECT open_at AS "openAt", day, used FROM limit_usage WHERE subject = ${subject}`,
  );
  return usage;
}

/** Charges up to `units` to an account's daily quota in a transaction. */
export async function chargeAccount(
  run: Run,
  { now }: Pick<Database, 'now'>,
  { accountId, quota, units, max }: { accountId: number; quota: QuotaName; units: number; max: number },
): Promise<ChargedQuota> {
  const subject: Subject = `${quota} ${accountId}`;
  const before = await lockUsage(run, subject);
  const { use, spent } = chargeQuota(max, before, units, await now(run));
  if (spent.granted > 0) await writeUsage(run, subject, use);
  return spent;
}

/** Daily quotas of accounts. The database's clock decides when a new UTC day starts. */
export function quotaStore({ read, now }: Pick<Database, 'read' | 'now'>) {
  return {
    /** Returns the rest of an account's daily quota of `max` units. */
    async left(accountId: number, quota: QuotaName, max: number): Promise<ChargedQuota> {
      return chargeQuota(max, await readUsage(read, `${quota} ${accountId}`), 0, await now(read)).spent;
    },
  };
}

/**
 * Runs `create` and stores its result, unless the account has already submitted the same form. Then returns the stored
 * result. A submission for which `create` returns null can be repeated.
 *
 * @param submission hash of the form, or null to run `create` in any case
 */
export async function createOnce(
  run: Run,
  { rowLock }: Pick<Database, 'rowLock'>,
  { accountId, submission, now }: { accountId: number; submission: Uint8Array | null; now: number },
  create: () => Promise<string | null>,
): Promise<{ result: string | null; isRepeated: boolean }> {
  // Because of this lock, the forms of an account that are submitted at the same time are handled one after the other.
  await run(sql`SELECT id FROM accounts WHERE id = ${accountId} ${rowLock}`);
  if (submission === null) return { result: await create(), isRepeated: false };
  const [before] = await run<{ result: string }>(
    sql`SELECT result FROM form_submissions WHERE account_id = ${accountId} AND hash = ${submission}`,
  );
  if (before) return { result: before.result, isRepeated: true };
  const result = await create();
  if (result !== null) {
    await run(sql`INSERT INTO form_submissions (account_id, hash, result, created_at)
      VALUES (${accountId}, ${submission}, ${result}, ${now})`);
  }
  return { result, isRepeated: false };
}
