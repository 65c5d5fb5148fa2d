import type { Clock } from '../../domain/clock-and-random.ts';
import { decideCreate, decideReplay, limitsLeft } from '../../domain/limits/accept-or-refuse-create.ts';
import { chargeQuota, type QuotaName, UNSPENT } from '../../domain/limits/account-quotas.ts';
import { type LimitState, UNUSED } from '../../domain/limits/key-limits.ts';
import type { DayUsage } from '../../domain/limits/throttle-and-quota.ts';
import type {
  ApiKey,
  CreateRequest,
  CreateRequestStore,
  Idempotency,
  NewLink,
  Outcome,
  QuotaStore,
  Result,
  StoredLink,
} from '../interface/store.ts';
import {
  type CachedResponseRow,
  fromColumns,
  linkOfKept,
  madeLink,
  orderOf,
  toColumns,
} from '../sql/cached-responses.ts';
import type { LinkResult, LinkToMake } from '../sql/sql-runner.ts';
import type { Database } from './sqlite-connection.ts';

/** What keys and accounts have used of their limits. */
export function openCharges(database: Database) {
  const readKey = database.prepare('SELECT open_at AS openAt, day, used FROM key_limits WHERE key_id = ?');
  const writeKey = database.prepare(
    `INSERT INTO key_limits (key_id, open_at, day, used) VALUES (?, ?, ?, ?)
     ON CONFLICT (key_id) DO UPDATE SET open_at = excluded.open_at, day = excluded.day, used = excluded.used`,
  );
  const readAccount = database.prepare('SELECT day, used FROM account_budgets WHERE account_id = ? AND budget = ?');
  const writeAccount = database.prepare(
    `INSERT INTO account_budgets (account_id, budget, day, used) VALUES (?, ?, ?, ?)
     ON CONFLICT (account_id, budget) DO UPDATE SET day = excluded.day, used = excluded.used`,
  );

  return {
    key: (id: number) => (readKey.get(id) as unknown as LimitState | undefined) ?? UNUSED,
    chargeKey: (id: number, { openAt, day, used }: LimitState) => writeKey.run(id, openAt, day, used),
    account: (id: number, budget: QuotaName) =>
      (readAccount.get(id, budget) as unknown as DayUsage | undefined) ?? UNSPENT,
    chargeAccount: (id: number, budget: QuotaName, { day, used }: DayUsage) => writeAccount.run(id, budget, day, used),
  };
}

/** Makes links one by one, in the transaction that is open. Uniqueness is the constraint's business: nothing is looked up first. */
export function linkMaker({ prepare }: Pick<Database, 'prepare'>) {
  const insert = prepare(
    `INSERT INTO links (code, url, account_id, key_id, own_key_id, title, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (code) DO NOTHING RETURNING id`,
  );

  const beginTotal = prepare('INSERT INTO click_totals (link_id, account_id, clicks) VALUES (?, ?, 0)');

  return ({ codes, ownKeyId, ...link }: LinkToMake): LinkResult => {
    const { url, accountId, keyId, title, createdAt, expiresAt } = link;
    const tried: string[] = [];
    for (const code of codes) {
      tried.push(code);
      const row = insert.get(code, url, accountId, keyId, ownKeyId, title, createdAt, expiresAt);
      if (!row) continue;
      beginTotal.run(row.id as number, accountId);
      const made: StoredLink = { ...link, id: row.id as number, code, deletedAt: null, undoUntil: null, clicks: 0 };
      return { tried, made };
    }
    return { tried, made: null };
  };
}

/** Old answers are forgotten this many at a time, so that no redirect waits for long. */
const FORGET_AT_ONCE = 1000;

/** @param clock read in the transaction, which is the only one that writes */
export function createRequestStore(database: Database, clock: Clock): CreateRequestStore {
  const charges = openCharges(database);
  const makeLink = linkMaker(database);
  const findKept = database.prepare(
    `SELECT fingerprint, status, body, location, made, created_at AS createdAt FROM kept_answers
     WHERE key_id = ? AND endpoint = ? AND idempotency_key = ?`,
  );
  const keep = database.prepare(
    `INSERT OR REPLACE INTO kept_answers
       (key_id, endpoint, idempotency_key, fingerprint, status, body, location, made, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const forget = database.prepare(
    'DELETE FROM kept_answers WHERE rowid IN (SELECT rowid FROM kept_answers WHERE created_at <= ? LIMIT ?)',
  );

  function execute(submission: CreateRequest): Outcome {
    const now = clock();
    const { key, idempotency } = submission;
    const before = chargesOf(key, submission.accountQuota);
    const kept = idempotency ? keptRow(key.id, idempotency) : null;
    const { fate, charges: after, limits } = decideCreate(orderOf(submission), before, kept, now);
    if (after.key !== before.key) charges.chargeKey(key.id, after.key);
    if (after.account !== before.account) charges.chargeAccount(key.accountId, 'links', after.account);
    switch (fate) {
      case 'replay':
        return { kind: 'replayed', result: fromColumns(kept as CachedResponseRow), limits };
      case 'reuse':
        return { kind: 'reused', limits };
      case 'throttle':
      case 'quota':
        return { kind: 'refused', by: fate, limits };
      case 'make':
        return { kind: 'answered', result: make(submission, now), limits };
    }
  }

  /** An account without a budget has nothing to look up. */
  function chargesOf({ id, accountId }: Pick<ApiKey, 'id' | 'accountId'>, accountQuota: number | null) {
    const account = accountQuota === null ? UNSPENT : charges.account(accountId, 'links');
    return { key: charges.key(id), account };
  }

  function keptRow(keyId: number, { endpoint, key }: Idempotency): CachedResponseRow | null {
    return (findKept.get(keyId, endpoint, key) as unknown as CachedResponseRow | undefined) ?? null;
  }

  /** Makes the links, and keeps what they came to for a replay. */
  function make({ key, draft, links, idempotency }: CreateRequest, now: number): Result {
    const result = { draft, made: links.map((link) => makeOnce(link, key, now)) };
    if (idempotency) keepResult(key.id, idempotency, result, now);
    return result;
  }

  /** Makes a link, unless its own idempotency key has been used. */
  function makeOnce({ idempotency, ...link }: NewLink, key: ApiKey, now: number): Result['made'][number] {
    const kept = idempotency ? keptRow(key.id, idempotency) : null;
    const repeat = decideReplay(idempotency?.fingerprint ?? null, kept, now);
    if (repeat === 'reuse') return 'reused';
    if (repeat === 'replay') return linkOfKept(kept as CachedResponseRow);
    const owner = { accountId: key.accountId, keyId: key.id, ownKeyId: key.ownLinksOnly ? key.id : null };
    const made = madeLink(makeLink({ ...link, ...owner, createdAt: now }).made);
    if (idempotency) keepResult(key.id, idempotency, { draft: idempotency.draft, made: [made] }, now);
    return made;
  }

  function keepResult(keyId: number, { endpoint, key, fingerprint }: Idempotency, result: Result, now: number): void {
    const { status, body, location, made } = toColumns(result);
    keep.run(keyId, endpoint, key, fingerprint, status, body, location, made, now);
  }

  return {
    submit: (submission) => database.write(() => execute(submission)),
    left: async (key, of) => limitsLeft(of, chargesOf(key, of.accountQuota), clock()),
    async forget(before) {
      let forgotten = 0;
      for (;;) {
        const some = await database.write(() => Number(forget.run(before, FORGET_AT_ONCE).changes));
        forgotten += some;
        if (some < FORGET_AT_ONCE) return forgotten;
      }
    },
  };
}

export function quotaStore(database: Database, clock: Clock): QuotaStore {
  const charges = openCharges(database);
  return {
    spend: (accountId, budget, units, most) =>
      database.write(() => {
        const { use, spent } = chargeQuota(most, charges.account(accountId, budget), units, clock());
        if (spent.granted > 0) charges.chargeAccount(accountId, budget, use);
        return spent;
      }),
  };
}
