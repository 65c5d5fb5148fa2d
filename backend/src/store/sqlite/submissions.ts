import { UNSPENT } from '../../domain/budgets.ts';
import type { Clock } from '../../domain/clock.ts';
import { decideRepeat, decideSubmission, limitsLeft } from '../../domain/submissions.ts';
import { fromColumns, type KeptRow, linkOfKept, madeLink, orderOf, toColumns } from '../kept-results.ts';
import type { ApiKey, Idempotency, NewLink, Outcome, Result, Submission, SubmissionStore } from '../store.ts';
import { openCharges } from './charges.ts';
import type { Database } from './database.ts';
import { linkMaker } from './make-links.ts';

/** Old answers are forgotten this many at a time, so that no redirect waits for long. */
const FORGET_AT_ONCE = 1000;

/** @param clock read in the transaction, which is the only one that writes */
export function submissionStore(database: Database, clock: Clock): SubmissionStore {
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

  function execute(submission: Submission): Outcome {
    const now = clock();
    const { key, idempotency } = submission;
    const before = chargesOf(key, submission.accountQuota);
    const kept = idempotency ? keptRow(key.id, idempotency) : null;
    const { fate, charges: after, limits } = decideSubmission(orderOf(submission), before, kept, now);
    if (after.key !== before.key) charges.chargeKey(key.id, after.key);
    if (after.account !== before.account) charges.chargeAccount(key.accountId, 'links', after.account);
    switch (fate) {
      case 'replay':
        return { kind: 'replayed', result: fromColumns(kept as KeptRow), limits };
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

  function keptRow(keyId: number, { endpoint, key }: Idempotency): KeptRow | null {
    return (findKept.get(keyId, endpoint, key) as unknown as KeptRow | undefined) ?? null;
  }

  /** Makes the links, and keeps what they came to for a replay. */
  function make({ key, draft, links, idempotency }: Submission, now: number): Result {
    const result = { draft, made: links.map((link) => makeOnce(link, key, now)) };
    if (idempotency) keepResult(key.id, idempotency, result, now);
    return result;
  }

  /** Makes a link, unless its own idempotency key has been used. */
  function makeOnce({ idempotency, ...link }: NewLink, key: ApiKey, now: number): Result['made'][number] {
    const kept = idempotency ? keptRow(key.id, idempotency) : null;
    const repeat = decideRepeat(idempotency?.fingerprint ?? null, kept, now);
    if (repeat === 'reuse') return 'reused';
    if (repeat === 'replay') return linkOfKept(kept as KeptRow);
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
