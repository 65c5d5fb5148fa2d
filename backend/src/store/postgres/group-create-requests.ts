import { LRUCache } from 'lru-cache';
import type { Clock } from '../../domain/clock-and-random.ts';
import { decideCreate, limitsLeft } from '../../domain/limits/accept-or-refuse-create.ts';
import { UNSPENT } from '../../domain/limits/account-quotas.ts';
import { type LimitState, UNUSED } from '../../domain/limits/key-limits.ts';
import type { CreateOutcome, CreateRequest, CreateRequestStore } from '../interface/create-request-store.ts';
import { StoreUnavailable } from '../interface/store.ts';
import { createBatches } from '../sql/batch-queries.ts';
import { type CachedResponseRow, limitsOf } from '../sql/cached-response-columns.ts';
import { NOW } from './charge-limits.ts';
import type { Database } from './connection-pool.ts';
import {
  CACHED_COLUMNS,
  createRequestExecutor,
  identities,
  identityOf,
  outcomeWithoutWrite,
} from './create-request-transaction.ts';
import { withDeadline } from './retries-and-deadlines.ts';

interface PendingRequest {
  request: CreateRequest;
  isAbandoned: boolean;
  resolve(outcome: CreateOutcome): void;
  reject(error: unknown): void;
}

/**
 * Usage and cached response for a request, read without a lock. `accountDay` is null if the account has no quota or
 * has not created links yet.
 */
type Unlocked = { index: number; now: number; accountDay: number | null; accountUsed: number } & LimitState &
  (CachedResponseRow | { [field in keyof CachedResponseRow]: null });

const MAX_KEYS_WITHOUT_WRITE = 10_000;

/**
 * Maximum number of cached responses that one statement deletes. The maximum is low, so that rows are locked only
 * briefly.
 */
const DELETED_AT_ONCE = 5000;

/**
 * Creates the PostgreSQL implementation of the store that handles requests to create links.
 *
 * @param clock replaces the database's clock in tests
 */
export function createRequestStore(database: Database, clock: Clock | null, foldsCase: boolean): CreateRequestStore {
  const execute = createRequestExecutor(database, clock, foldsCase);
  const { add } = createBatches(handleBatch);
  const keysWithoutWrite = new LRUCache<number, true>({ max: MAX_KEYS_WITHOUT_WRITE });
  const unlocked = database.prepare(
    `SELECT index, open_at AS "openAt", key_limits.day, key_limits.used, quotas.day AS "accountDay",
       quotas.used AS "accountUsed", ${CACHED_COLUMNS}, ${NOW}
     FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[])
         AS pending (index, key_id, endpoint, idempotency_key, account_id)
       JOIN key_limits USING (key_id)
       LEFT JOIN quotas ON quotas.account_id = pending.account_id AND quotas.quota = 'links'
       LEFT JOIN cached_responses USING (key_id, endpoint, idempotency_key)`,
  );
  const charges = database.prepare(
    `SELECT open_at AS "openAt", key_limits.day, key_limits.used, quotas.day AS "accountDay",
       quotas.used AS "accountUsed", ${NOW}
     FROM (SELECT 1) AS always LEFT JOIN key_limits ON key_id = $1
       LEFT JOIN quotas ON quotas.account_id = $2 AND quotas.quota = 'links'`,
  );
  const forget = database.prepare(
    `DELETE FROM cached_responses WHERE (key_id, endpoint, idempotency_key) IN (
       SELECT key_id, endpoint, idempotency_key FROM cached_responses WHERE created_at <= $1 ORDER BY created_at LIMIT $2
     ) RETURNING key_id`,
  );

  async function handleBatch(batch: PendingRequest[]): Promise<void> {
    const open = batch.filter(({ isAbandoned }) => !isAbandoned);
    try {
      const { first, later } = separateDuplicates(await resolveWithoutWrite(open));
      if (first.length > 0) await executeBatch(first);
      for (const pending of later) add(pending);
    } catch (error) {
      for (const { reject } of open) reject(error);
    }
  }

  /** Answers requests that need no database write, such as requests over a limit. Returns all other requests. */
  async function resolveWithoutWrite(batch: PendingRequest[]): Promise<PendingRequest[]> {
    const candidates = batch.filter(({ request }) => keysWithoutWrite.has(request.key.id));
    if (candidates.length === 0) return batch;
    const due = new Set(await readOutcomes(candidates));
    return batch.filter((pending) => due.has(pending) || !candidates.includes(pending));
  }

  /**
   * Answers requests without locking rows. A single statement reads one database snapshot, so usage and cached
   * responses are consistent.
   */
  async function readOutcomes(batch: PendingRequest[]): Promise<PendingRequest[]> {
    const requests = batch.map(({ request }) => request);
    const accounts = requests.map(({ key, accountQuota }) => (accountQuota === null ? null : key.accountId));
    const rows = await database.read<Unlocked>(unlocked, ...identities(requests), accounts);
    const known = new Map(rows.map((row) => [row.index, row]));
    return batch.filter(({ request, resolve }, index) => {
      const row = known.get(index);
      if (!row) return true;
      const cached = row.createdAt === null ? null : row;
      const before = chargesOf(row);
      const decision = decideCreate(limitsOf(request), before, cached, clock?.() ?? row.now);
      const needsNoWrite = decision.charges === before && decision.action !== 'make';
      if (needsNoWrite) resolve(outcomeWithoutWrite(decision, cached ?? undefined));
      return !needsNoWrite;
    });
  }

  /**
   * Handles several requests in one transaction. If the transaction fails, each request is retried in a separate
   * transaction, so that a faulty request does not affect the others.
   */
  async function executeBatch(batch: PendingRequest[]): Promise<void> {
    try {
      const requests = batch.map(({ request }) => request);
      const outcomes = await database.transaction((ask) => execute(ask, requests));
      for (const [index, { request, resolve }] of batch.entries()) {
        const outcome = outcomes[index] as CreateOutcome;
        if (outcome.kind === 'answered') keysWithoutWrite.delete(request.key.id);
        else keysWithoutWrite.set(request.key.id, true);
        resolve(outcome);
      }
    } catch (error) {
      if (batch.length === 1 || error instanceof StoreUnavailable) for (const { reject } of batch) reject(error);
      else for (const pending of batch) await executeBatch([pending]);
    }
  }

  /** Adds a request to the next batch. The time that the request waits for its batch counts toward its deadline. */
  function submit(request: CreateRequest): Promise<CreateOutcome> {
    return withDeadline(database.deadlines.write, async (deadline) => {
      const { promise, resolve, reject } = Promise.withResolvers<CreateOutcome>();
      const pending: PendingRequest = { request, isAbandoned: false, resolve, reject };
      add(pending);
      try {
        return await deadline.wait(promise);
      } finally {
        pending.isAbandoned = true;
      }
    });
  }

  return {
    submit: (request) => database.keepOpen(() => submit(request)),
    async left({ id, accountId }, of) {
      const account = of.accountQuota === null ? null : accountId;
      const [row] = await database.read<StoredUsage>(charges, id, account);
      return limitsLeft(of, chargesOf(row as StoredUsage), clock?.() ?? (row as StoredUsage).now);
    },
    async forget(before) {
      let deleted = 0;
      for (;;) {
        const { length } = await database.write(forget, before, DELETED_AT_ONCE);
        deleted += length;
        if (length < DELETED_AT_ONCE) return deleted;
      }
    },
  };
}

/** Stored usage of an API key and of its account. Fields are null if no request has been counted yet. */
type StoredUsage = { [field in keyof LimitState]: number | null } & Pick<
  Unlocked,
  'accountDay' | 'accountUsed' | 'now'
>;

function chargesOf({ openAt, day, used, accountDay, accountUsed }: StoredUsage) {
  return {
    key: openAt === null ? UNUSED : { openAt, day: day as number, used: used as number },
    account: accountDay === null ? UNSPENT : { day: accountDay, used: accountUsed },
  };
}

/**
 * Splits a batch. `later` contains the requests that must wait for another request with the same idempotency key.
 * Later requests with the same API key wait too, to keep their order.
 */
function separateDuplicates(batch: PendingRequest[]): { first: PendingRequest[]; later: PendingRequest[] } {
  const seenIdentities = new Set<string>();
  const waitingKeys = new Set<number>();
  const first: PendingRequest[] = [];
  const later: PendingRequest[] = [];
  for (const pending of batch) {
    const { key } = pending.request;
    const identities = identitiesIn(pending.request);
    if (identities.some((identity) => seenIdentities.has(identity))) waitingKeys.add(key.id);
    if (waitingKeys.has(key.id)) later.push(pending);
    else first.push(pending);
    for (const identity of identities) seenIdentities.add(identity);
  }
  return { first, later };
}

function identitiesIn({ key, idempotency, links }: CreateRequest): string[] {
  const all = [idempotency, ...links.map((link) => link.idempotency ?? null)];
  return all.flatMap((one) => (one ? [identityOf(key.id, one)] : []));
}
