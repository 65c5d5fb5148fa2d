import { KEPT_FOR } from '../../domain/idempotency.ts';
import { charge, type LimitState, report, UNUSED } from '../../domain/limits.ts';
import type { Answer, Outcome, Submission, SubmissionStore } from '../store.ts';
import type { Ask, Database } from './database.ts';
import { linkMaker } from './make-links.ts';

interface KeptAnswer extends Answer {
  fingerprint: Uint8Array;
  createdAt: number;
}

/** Old answers are forgotten this many at a time, so that no lock is held for long. */
const FORGET_AT_ONCE = 5000;

const ANSWER = 'fingerprint, status, body, location, created_at AS "createdAt"';

export function submissionStore(database: Database): SubmissionStore {
  const makeLinks = linkMaker(database);
  const standing = database.prepare(
    `SELECT open_at AS "openAt", day, used, ${ANSWER} FROM key_limits LEFT JOIN kept_answers
       ON kept_answers.key_id = key_limits.key_id AND endpoint = $2 AND idempotency_key = $3
     WHERE key_limits.key_id = $1`,
  );
  const lockLimits = database.prepare(
    'SELECT open_at AS "openAt", day, used FROM key_limits WHERE key_id = $1 FOR UPDATE',
  );
  const firstLimits = database.prepare(
    'INSERT INTO key_limits (key_id, open_at, day, used) VALUES ($1, $2, $3, $4) ON CONFLICT (key_id) DO NOTHING',
  );
  const writeLimits = database.prepare('UPDATE key_limits SET open_at = $2, day = $3, used = $4 WHERE key_id = $1');
  const findAnswer = database.prepare(
    `SELECT ${ANSWER} FROM kept_answers WHERE key_id = $1 AND endpoint = $2 AND idempotency_key = $3`,
  );
  const keepAnswer = database.prepare(
    `INSERT INTO kept_answers (key_id, endpoint, idempotency_key, fingerprint, status, body, location, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (key_id, endpoint, idempotency_key) DO UPDATE SET fingerprint = excluded.fingerprint,
       status = excluded.status, body = excluded.body, location = excluded.location, created_at = excluded.created_at`,
  );
  const forget = database.prepare(
    `DELETE FROM kept_answers WHERE (key_id, endpoint, idempotency_key) IN (
       SELECT key_id, endpoint, idempotency_key FROM kept_answers WHERE created_at <= $1 ORDER BY created_at LIMIT $2
     ) RETURNING key_id`,
  );

  /**
   * The outcome of a submission that nothing needs to be written for, seen without a lock: one statement sees one
   * instant, so whoever's charge it sees, their kept answer it sees too.
   */
  async function atOnce(submission: Submission): Promise<Outcome | null> {
    const { key, idempotency } = submission;
    const [row] = await database.read<LimitState & (KeptAnswer | { [field in keyof KeptAnswer]: null })>(
      standing,
      key.id,
      idempotency?.endpoint,
      idempotency?.key,
    );
    return row ? free(submission, row, row.createdAt === null ? undefined : row) : null;
  }

  async function carryOut(ask: Ask, submission: Submission): Promise<Outcome> {
    const { key, limits, now, idempotency } = submission;
    const state = await lock(ask, key.id);
    const [kept] = idempotency ? await ask<KeptAnswer>(findAnswer, key.id, idempotency.endpoint, idempotency.key) : [];
    const outcome = free(submission, state, kept);
    if (outcome) return outcome;

    const verdict = charge(limits, state, now);
    await ask(writeLimits, key.id, verdict.state.openAt, verdict.state.day, verdict.state.used);
    if (verdict.refusedBy) return { kind: 'refused', by: verdict.refusedBy, limits: verdict.report };
    if (isLive(kept, now)) return { kind: 'reused', limits: verdict.report };

    const links = submission.links.map((link) => ({ ...link, createdAt: now }));
    const attempts = await makeLinks(ask, { accountId: key.accountId, keyId: key.id }, links);
    const answer = submission.answer(attempts.map(({ made }) => made));
    if (idempotency) {
      const { endpoint, fingerprint } = idempotency;
      const { status, body, location } = answer;
      await ask(keepAnswer, key.id, endpoint, idempotency.key, fingerprint, status, body, location, now);
    }
    return { kind: 'answered', answer, limits: verdict.report };
  }

  /** Holds the key's row to the end of the transaction, so that one submission of a key is carried out at a time. */
  async function lock(ask: Ask, keyId: number): Promise<LimitState> {
    const [state] = await ask<LimitState>(lockLimits, keyId);
    if (state) return state;
    await ask(firstLimits, keyId, UNUSED.openAt, UNUSED.day, UNUSED.used);
    const [first] = await ask<LimitState>(lockLimits, keyId);
    return first ?? UNUSED;
  }

  return {
    submit: async (submission) =>
      (await atOnce(submission)) ?? (await database.transaction((ask) => carryOut(ask, submission))),
    async forget(before) {
      let forgotten = 0;
      for (;;) {
        const { length } = await database.write(forget, before, FORGET_AT_ONCE);
        forgotten += length;
        if (length < FORGET_AT_ONCE) return forgotten;
      }
    },
  };
}

/** A replay, or a refusal that leaves nothing to remember; null for a submission that is to be carried out. */
function free({ limits, now, idempotency }: Submission, state: LimitState, kept: KeptAnswer | undefined) {
  if (isLive(kept, now) && idempotency && Buffer.compare(kept.fingerprint, idempotency.fingerprint) === 0) {
    const { status, body, location } = kept;
    return { kind: 'replayed' as const, answer: { status, body, location }, limits: report(limits, state, now) };
  }
  const verdict = charge(limits, state, now);
  if (verdict.refusedBy === null || verdict.state !== state) return null;
  return { kind: 'refused' as const, by: verdict.refusedBy, limits: verdict.report };
}

function isLive(kept: KeptAnswer | undefined, now: number): kept is KeptAnswer {
  return kept !== undefined && kept.createdAt > now - KEPT_FOR;
}
