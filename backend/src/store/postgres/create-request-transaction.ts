import type { ApiKey } from '../../domain/accounts/api-keys.ts';
import type { Clock } from '../../domain/clock-and-random.ts';
import { type Decision, decideCreate, decideReplay } from '../../domain/limits/accept-or-refuse-create.ts';
import { UNSPENT } from '../../domain/limits/account-quotas.ts';
import type { Idempotency, ItemIdempotency } from '../../domain/limits/idempotency-key.ts';
import type { LimitState } from '../../domain/limits/key-limits.ts';
import type { DayUsage } from '../../domain/limits/throttle-and-quota.ts';
import type { NewLink } from '../../domain/links/stored-link.ts';
import type { CreateOutcome, CreateRequest, CreateResult } from '../interface/create-request-store.ts';
import {
  type CachedResponseRow,
  cachedLink,
  fromColumns,
  limitsOf,
  madeLink,
  toColumns,
} from '../sql/cached-response-columns.ts';
import { openCharges } from './charge-limits.ts';
import type { Ask, Database } from './connection-pool.ts';
import { linkMaker, numberArray } from './insert-links.ts';

export const CACHED_COLUMNS = 'fingerprint, draft, made, created_at AS "createdAt"';

/**
 * Returns the parameters for a query that reads cached responses. Each parameter is an array with one value per
 * request. The first array contains the indexes of the requests.
 */
export function identities(requests: { key: Pick<ApiKey, 'id'>; idempotency: Idempotency | null }[]) {
  return [
    numberArray(requests.map((_, index) => index)),
    numberArray(requests.map(({ key }) => key.id)),
    requests.map(({ idempotency }) => idempotency?.endpoint ?? null),
    requests.map(({ idempotency }) => idempotency?.key ?? null),
  ];
}

/**
 * Returns a string that identifies a request by its API key, endpoint and idempotency key. Different API keys may use
 * the same idempotency key.
 */
export function identityOf(keyId: number, { endpoint, key }: Idempotency): string {
  return `${keyId} ${endpoint} ${key}`;
}

/**
 * A link to create. If an earlier link in the same transaction has the same idempotency key, `first` is the earlier
 * link and this link is not created.
 */
interface Item {
  key: ApiKey;
  link: NewLink;
  idempotency: ItemIdempotency | null;
  first: Item | null;
  made: CreateResult['made'][number];
}

/**
 * Creates a function that handles several requests to create links in one transaction, with a fixed number of
 * statements. The idempotency keys of these requests must all be different.
 */
export function createRequestExecutor(database: Database, clock: Clock | null, foldsCase: boolean) {
  const makeLinks = linkMaker(database, foldsCase);
  const charges = openCharges(database, clock);
  const findCached = database.prepare(
    `SELECT index, ${CACHED_COLUMNS}
     FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) AS pending (index, key_id, endpoint, idempotency_key)
       JOIN cached_responses USING (key_id, endpoint, idempotency_key)`,
  );
  const insertCached = database.prepare(
    `INSERT INTO cached_responses (key_id, endpoint, idempotency_key, fingerprint, draft, made, created_at)
     SELECT key_id, endpoint, idempotency_key, fingerprint, draft, made, $7::bigint
     FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bytea[], $5::text[], $6::text[])
       AS cached (key_id, endpoint, idempotency_key, fingerprint, draft, made)
     ON CONFLICT (key_id, endpoint, idempotency_key) DO UPDATE SET
       fingerprint = excluded.fingerprint, draft = excluded.draft, made = excluded.made,
       created_at = excluded.created_at`,
  );

  /**
   * Locks the rows that store the usage of API keys and accounts. Requests with the same API key are then handled one
   * after another.
   */
  async function lock(ask: Ask, requests: CreateRequest[]) {
    const keys = await charges.lockKeys(
      ask,
      requests.map(({ key }) => key.id),
    );
    const bounded = requests.filter(({ accountQuota }) => accountQuota !== null);
    if (bounded.length === 0) return { keys: keys.states, accounts: new Map<number, DayUsage>(), now: keys.now };
    const accounts = await charges.lockAccounts(
      ask,
      bounded.map(({ key }) => key.accountId),
      'links',
    );
    return { keys: keys.states, accounts: accounts.states, now: accounts.now };
  }

  async function cachedRows(
    ask: Ask,
    pending: { key: Pick<ApiKey, 'id'>; idempotency: Idempotency | null }[],
  ): Promise<Map<number, CachedResponseRow>> {
    if (pending.every(({ idempotency }) => idempotency === null)) return new Map();
    const rows = await ask<CachedResponseRow & { index: number }>(findCached, ...identities(pending));
    return new Map(rows.map((row) => [row.index, row]));
  }

  async function make(ask: Ask, due: CreateRequest[], now: number): Promise<CreateResult[]> {
    const items = itemsOf(due);
    const cached = await cachedRows(ask, items);
    const isNew = items.filter((item, index) => {
      const { fingerprint = null } = item.idempotency ?? {};
      if (item.first) return false;
      const row = cached.get(index) ?? null;
      const repeat = decideReplay(fingerprint, row, now);
      if (repeat !== 'make') item.made = repeat === 'replay' && row ? cachedLink(row) : 'reused';
      return repeat === 'make';
    });
    const drafts = isNew.map(({ key, link: { idempotency: _, ...link } }) => ({
      ...link,
      createdAt: now,
      accountId: key.accountId,
      keyId: key.id,
      ownKeyId: key.ownLinksOnly ? key.id : null,
    }));
    const outcomes = (await makeLinks(ask, drafts)).values();
    for (const item of isNew) item.made = madeLink(outcomes.next().value?.made ?? null);
    for (const item of items) if (item.first) item.made = repeated(item, item.first);
    const made = items.values();
    const results = due.map(({ draft, links }) => ({
      draft,
      made: links.map(() => made.next().value?.made ?? null),
    }));
    await cacheResponses(ask, [...responsesOfRequests(due, results), ...responsesOfItems(isNew)], now);
    return results;
  }

  async function cacheResponses(
    ask: Ask,
    cached: { keyId: number; idempotency: Idempotency; result: CreateResult }[],
    now: number,
  ) {
    if (cached.length === 0) return;
    const columns = cached.map(({ result }) => toColumns(result));
    await ask(
      insertCached,
      numberArray(cached.map(({ keyId }) => keyId)),
      cached.map(({ idempotency }) => idempotency.endpoint),
      cached.map(({ idempotency }) => idempotency.key),
      cached.map(({ idempotency }) => idempotency.fingerprint),
      columns.map(({ draft }) => draft),
      columns.map(({ made }) => made),
      now,
    );
  }

  return async (ask: Ask, requests: CreateRequest[]): Promise<CreateOutcome[]> => {
    const { keys, accounts, now } = await lock(ask, requests);
    const cached = await cachedRows(ask, requests);
    const changed = { keys: new Map<number, LimitState>(), accounts: new Map<number, DayUsage>() };
    const decisions = requests.map((request, index) => {
      const { id, accountId } = request.key;
      const before = { key: keys.get(id) as LimitState, account: accounts.get(accountId) ?? UNSPENT };
      const decision = decideCreate(limitsOf(request), before, cached.get(index) ?? null, now);
      const { key, account } = decision.charges;
      if (key !== before.key) for (const states of [keys, changed.keys]) states.set(id, key);
      if (account !== before.account) for (const states of [accounts, changed.accounts]) states.set(accountId, account);
      return decision;
    });
    const due = requests.filter((_, index) => decisions[index]?.action === 'make');
    // The statements are sent together, because none depends on another.
    const [results] = await Promise.all([
      make(ask, due, now),
      charges.chargeKeys(ask, changed.keys),
      charges.chargeAccounts(ask, changed.accounts, 'links'),
    ]);
    const made = results.values();
    return decisions.map((decision, index) => {
      if (decision.action !== 'make') return outcomeWithoutWrite(decision, cached.get(index));
      return { kind: 'answered', result: made.next().value as CreateResult, limits: decision.limits };
    });
  };
}

function itemsOf(due: CreateRequest[]): Item[] {
  const firstItems = new Map<string, Item>();
  return due.flatMap(({ key, links }) =>
    links.map((link): Item => {
      const { idempotency = null } = link;
      const identity = idempotency && identityOf(key.id, idempotency);
      const item = { key, link, idempotency, first: (identity && firstItems.get(identity)) || null, made: null };
      if (identity && !item.first) firstItems.set(identity, item);
      return item;
    }),
  );
}

function repeated({ idempotency }: Item, first: Item): CreateResult['made'][number] {
  const same = Buffer.compare(idempotency?.fingerprint ?? EMPTY, first.idempotency?.fingerprint ?? EMPTY) === 0;
  return same ? first.made : 'reused';
}

const EMPTY = new Uint8Array();

function responsesOfRequests(due: CreateRequest[], results: CreateResult[]) {
  return due.flatMap(({ key, idempotency }, index) =>
    idempotency ? [{ keyId: key.id, idempotency, result: results[index] as CreateResult }] : [],
  );
}

function responsesOfItems(items: Item[]) {
  return items.flatMap(({ key, idempotency, made }) =>
    idempotency ? [{ keyId: key.id, idempotency, result: { draft: idempotency.draft, made: [made] } }] : [],
  );
}

export function outcomeWithoutWrite(
  { action, limits }: Decision,
  cached: CachedResponseRow | undefined,
): CreateOutcome {
  if (action === 'replay') return { kind: 'replayed', result: fromColumns(cached as CachedResponseRow), limits };
  if (action === 'throttle' || action === 'quota') return { kind: 'refused', by: action, limits };
  return { kind: 'reused', limits };
}
