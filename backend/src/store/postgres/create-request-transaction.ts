import type { Clock } from '../../domain/clock-and-random.ts';
import { type Decision, decideCreate, decideReplay } from '../../domain/limits/accept-or-refuse-create.ts';
import { UNSPENT } from '../../domain/limits/account-quotas.ts';
import type { LimitState } from '../../domain/limits/key-limits.ts';
import type { DayUsage } from '../../domain/limits/throttle-and-quota.ts';
import type {
  ApiKey,
  CreateRequest,
  Idempotency,
  ItemIdempotency,
  NewLink,
  Outcome,
  Result,
} from '../interface/store.ts';
import {
  type CachedResponseRow,
  fromColumns,
  linkOfKept,
  madeLink,
  orderOf,
  toColumns,
} from '../sql/cached-responses.ts';
import { openCharges } from './charge-limits.ts';
import type { Ask, Database } from './connection-pool.ts';
import { linkMaker, numberArray } from './insert-links.ts';

export const KEPT = 'fingerprint, status, body, location, made, created_at AS "createdAt"';

/** What submissions are looked up by, as the statements take it: one array a column, the first their index. */
export function identities(submissions: { key: Pick<ApiKey, 'id'>; idempotency: Idempotency | null }[]) {
  return [
    numberArray(submissions.map((_, index) => index)),
    numberArray(submissions.map(({ key }) => key.id)),
    submissions.map(({ idempotency }) => idempotency?.endpoint ?? null),
    submissions.map(({ idempotency }) => idempotency?.key ?? null),
  ];
}

/** What tells whether two things under one API key are the same to its idempotency keys. */
export function identityOf(keyId: number, { endpoint, key }: Idempotency): string {
  return `${keyId} ${endpoint} ${key}`;
}

/** A link to be made in a transaction, and what its own idempotency key has come to before. */
interface Item {
  key: ApiKey;
  link: NewLink;
  idempotency: ItemIdempotency | null;
  /** The item before it, in this very transaction, that bears the same key. */
  first: Item | null;
  made: Result['made'][number];
}

/** Executes submissions of different idempotency keys in a transaction, in a few statements however many they are. */
export function submissionExecutor(database: Database, clock: Clock | null) {
  const makeLinks = linkMaker(database);
  const charges = openCharges(database, clock);
  const findKept = database.prepare(
    `SELECT index, ${KEPT}
     FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) AS asked (index, key_id, endpoint, idempotency_key)
       JOIN kept_answers USING (key_id, endpoint, idempotency_key)`,
  );
  const keepResults = database.prepare(
    `INSERT INTO kept_answers (key_id, endpoint, idempotency_key, fingerprint, status, body, location, made, created_at)
     SELECT key_id, endpoint, idempotency_key, fingerprint, status, body, location, made, $9::bigint
     FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bytea[], $5::bigint[], $6::text[], $7::text[], $8::text[])
       AS kept (key_id, endpoint, idempotency_key, fingerprint, status, body, location, made)
     ON CONFLICT (key_id, endpoint, idempotency_key) DO UPDATE SET
       fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
       location = excluded.location, made = excluded.made, created_at = excluded.created_at`,
  );

  /** Holds the rows of the keys and accounts, so that one submission of each is decided on at a time. */
  async function lock(ask: Ask, submissions: CreateRequest[]) {
    const keys = await charges.lockKeys(
      ask,
      submissions.map(({ key }) => key.id),
    );
    const bounded = submissions.filter(({ accountQuota }) => accountQuota !== null);
    if (bounded.length === 0) return { keys: keys.states, accounts: new Map<number, DayUsage>(), now: keys.now };
    const accounts = await charges.lockAccounts(
      ask,
      bounded.map(({ key }) => key.accountId),
      'links',
    );
    return { keys: keys.states, accounts: accounts.states, now: accounts.now };
  }

  async function keptRows(
    ask: Ask,
    asked: { key: Pick<ApiKey, 'id'>; idempotency: Idempotency | null }[],
  ): Promise<Map<number, CachedResponseRow>> {
    if (asked.every(({ idempotency }) => idempotency === null)) return new Map();
    const rows = await ask<CachedResponseRow & { index: number }>(findKept, ...identities(asked));
    return new Map(rows.map((row) => [row.index, row]));
  }

  async function make(ask: Ask, due: CreateRequest[], now: number): Promise<Result[]> {
    const items = itemsOf(due);
    const kept = await keptRows(ask, items);
    const isNew = items.filter((item, index) => {
      const { fingerprint = null } = item.idempotency ?? {};
      if (item.first) return false;
      const row = kept.get(index) ?? null;
      const repeat = decideReplay(fingerprint, row, now);
      if (repeat !== 'make') item.made = repeat === 'replay' && row ? linkOfKept(row) : 'reused';
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
    await keep(ask, [...keptSubmissions(due, results), ...keptItems(isNew)], now);
    return results;
  }

  async function keep(ask: Ask, kept: { keyId: number; idempotency: Idempotency; result: Result }[], now: number) {
    if (kept.length === 0) return;
    const columns = kept.map(({ result }) => toColumns(result));
    await ask(
      keepResults,
      numberArray(kept.map(({ keyId }) => keyId)),
      kept.map(({ idempotency }) => idempotency.endpoint),
      kept.map(({ idempotency }) => idempotency.key),
      kept.map(({ idempotency }) => idempotency.fingerprint),
      numberArray(columns.map(({ status }) => status)),
      columns.map(({ body }) => body),
      columns.map(({ location }) => location),
      columns.map(({ made }) => made),
      now,
    );
  }

  return async (ask: Ask, submissions: CreateRequest[]): Promise<Outcome[]> => {
    const { keys, accounts, now } = await lock(ask, submissions);
    const kept = await keptRows(ask, submissions);
    const changed = { keys: new Map<number, LimitState>(), accounts: new Map<number, DayUsage>() };
    const decisions = submissions.map((submission, index) => {
      const { id, accountId } = submission.key;
      const before = { key: keys.get(id) as LimitState, account: accounts.get(accountId) ?? UNSPENT };
      const decision = decideCreate(orderOf(submission), before, kept.get(index) ?? null, now);
      const { key, account } = decision.charges;
      if (key !== before.key) for (const states of [keys, changed.keys]) states.set(id, key);
      if (account !== before.account) for (const states of [accounts, changed.accounts]) states.set(accountId, account);
      return decision;
    });
    const due = submissions.filter((_, index) => decisions[index]?.fate === 'make');
    // None of them needs what another comes to, so they travel together.
    const [results] = await Promise.all([
      make(ask, due, now),
      charges.chargeKeys(ask, changed.keys),
      charges.chargeAccounts(ask, changed.accounts, 'links'),
    ]);
    const made = results.values();
    return decisions.map((decision, index) => {
      if (decision.fate !== 'make') return outcomeWithoutWrite(decision, kept.get(index));
      return { kind: 'answered', result: made.next().value as Result, limits: decision.limits };
    });
  };
}

function itemsOf(due: CreateRequest[]): Item[] {
  const begun = new Map<string, Item>();
  return due.flatMap(({ key, links }) =>
    links.map((link): Item => {
      const { idempotency = null } = link;
      const identity = idempotency && identityOf(key.id, idempotency);
      const item = { key, link, idempotency, first: (identity && begun.get(identity)) || null, made: null };
      if (identity && !item.first) begun.set(identity, item);
      return item;
    }),
  );
}

/** What an item comes to that bears the key of one before it. */
function repeated({ idempotency }: Item, first: Item): Result['made'][number] {
  const same = Buffer.compare(idempotency?.fingerprint ?? EMPTY, first.idempotency?.fingerprint ?? EMPTY) === 0;
  return same ? first.made : 'reused';
}

const EMPTY = new Uint8Array();

function keptSubmissions(due: CreateRequest[], results: Result[]) {
  return due.flatMap(({ key, idempotency }, index) =>
    idempotency ? [{ keyId: key.id, idempotency, result: results[index] as Result }] : [],
  );
}

function keptItems(items: Item[]) {
  return items.flatMap(({ key, idempotency, made }) =>
    idempotency ? [{ keyId: key.id, idempotency, result: { draft: idempotency.draft, made: [made] } }] : [],
  );
}

/** The outcome of a submission whose links are not to be made. */
export function outcomeWithoutWrite({ fate, limits }: Decision, kept: CachedResponseRow | undefined): Outcome {
  if (fate === 'replay') return { kind: 'replayed', result: fromColumns(kept as CachedResponseRow), limits };
  if (fate === 'throttle' || fate === 'quota') return { kind: 'refused', by: fate, limits };
  return { kind: 'reused', limits };
}
