import { KEPT_FOR } from '../../domain/idempotency.ts';
import { charge, type LimitState, report, UNUSED } from '../../domain/limits.ts';
import type { Answer, NewLink, Outcome, StoredLink, Submission, SubmissionStore } from '../store.ts';
import type { Database } from './database.ts';

interface KeptAnswer extends Answer {
  fingerprint: Uint8Array;
  createdAt: number;
}

export function submissionStore(database: Database): SubmissionStore {
  const readLimits = database.prepare('SELECT open_at AS openAt, day, used FROM key_limits WHERE key_id = ?');
  const writeLimits = database.prepare(
    `INSERT INTO key_limits (key_id, open_at, day, used) VALUES (?, ?, ?, ?)
     ON CONFLICT (key_id) DO UPDATE SET open_at = excluded.open_at, day = excluded.day, used = excluded.used`,
  );
  const insertLink = database.prepare(
    `INSERT INTO links (code, url, account_id, key_id, own_key_id, title, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (code) DO NOTHING RETURNING id`,
  );
  const findAnswer = database.prepare(
    `SELECT fingerprint, status, body, location, created_at AS createdAt FROM kept_answers
     WHERE key_id = ? AND endpoint = ? AND idempotency_key = ?`,
  );
  const keepAnswer = database.prepare(
    `INSERT OR REPLACE INTO kept_answers
       (key_id, endpoint, idempotency_key, fingerprint, status, body, location, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const forget = database.prepare('DELETE FROM kept_answers WHERE created_at <= ?');

  function carryOut(submission: Submission): Outcome {
    const { key, limits, now, idempotency } = submission;
    const state = (readLimits.get(key.id) as unknown as LimitState | undefined) ?? UNUSED;
    const kept = keptAnswer(submission);
    const reused = kept !== null && Buffer.compare(kept.fingerprint, idempotency?.fingerprint ?? Buffer.of()) !== 0;
    if (kept && !reused) return { kind: 'replayed', answer: kept, limits: report(limits, state, now) };

    const verdict = charge(limits, state, now);
    const { openAt, day, used } = verdict.state;
    if (verdict.state !== state) writeLimits.run(key.id, openAt, day, used);
    if (verdict.refusedBy) return { kind: 'refused', by: verdict.refusedBy, limits: verdict.report };
    if (reused) return { kind: 'reused', limits: verdict.report };

    const answer = submission.answer(submission.links.map((link) => makeLink(link, submission)));
    if (idempotency) {
      const { endpoint, fingerprint } = idempotency;
      keepAnswer.run(key.id, endpoint, idempotency.key, fingerprint, answer.status, answer.body, answer.location, now);
    }
    return { kind: 'answered', answer, limits: verdict.report };
  }

  function keptAnswer({ key, now, idempotency }: Submission): KeptAnswer | null {
    if (!idempotency) return null;
    const kept = findAnswer.get(key.id, idempotency.endpoint, idempotency.key) as unknown as KeptAnswer | undefined;
    return kept && kept.createdAt > now - KEPT_FOR ? kept : null;
  }

  /** Uniqueness is the constraint's business: nothing is looked up first. */
  function makeLink({ codes, url, title, expiresAt }: NewLink, { key, now }: Submission): StoredLink | null {
    const { id: keyId, accountId, ownLinksOnly } = key;
    for (const code of codes) {
      const row = insertLink.get(code, url, accountId, keyId, ownLinksOnly ? keyId : null, title, now, expiresAt);
      if (!row) continue;
      const id = row.id as number;
      return { id, code, url, accountId, keyId, title, createdAt: now, expiresAt, deletedAt: null, clicks: 0 };
    }
    return null;
  }

  return {
    submit: (submission) => database.write(() => carryOut(submission)),
    forget: (before) => database.write(() => Number(forget.run(before).changes)),
  };
}
