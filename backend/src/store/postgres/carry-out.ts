import { type LimitState, UNUSED } from '../../domain/limits.ts';
import type { Answer, Outcome, Submission } from '../store.ts';
import type { Ask, Database } from './database.ts';
import { type Judgement, judge, type KeptAnswer } from './judge.ts';
import { linkMaker } from './make-links.ts';

export const ANSWER = 'fingerprint, status, body, location, created_at AS "createdAt"';

/** What submissions are looked up by, as the statements take it: one array a column, the first their number. */
export function identities(submissions: Submission[]) {
  return [
    submissions.map((_, at) => at),
    submissions.map(({ key }) => key.id),
    submissions.map(({ idempotency }) => idempotency?.endpoint ?? null),
    submissions.map(({ idempotency }) => idempotency?.key ?? null),
  ];
}

/** Carries out submissions of different idempotency keys in a transaction, in a few statements however many they are. */
export function submissionCarrier(database: Database) {
  const makeLinks = linkMaker(database);
  // Everybody locks in one order, so that two groups that share keys wait and do not deadlock.
  const lockLimits = database.prepare(
    `SELECT key_id AS key, open_at AS "openAt", day, used FROM key_limits
     WHERE key_id = ANY ($1::bigint[]) ORDER BY key_id FOR UPDATE`,
  );
  const firstLimits = database.prepare(
    `INSERT INTO key_limits (key_id, open_at, day, used)
     SELECT key_id, $2::double precision, $3::bigint, $4::bigint FROM unnest($1::bigint[]) AS key (key_id)
     ON CONFLICT (key_id) DO NOTHING`,
  );
  const writeLimits = database.prepare(
    `UPDATE key_limits SET open_at = state.open_at, day = state.day, used = state.used
     FROM unnest($1::bigint[], $2::double precision[], $3::bigint[], $4::bigint[]) AS state (key_id, open_at, day, used)
     WHERE key_limits.key_id = state.key_id`,
  );
  const findAnswers = database.prepare(
    `SELECT at, ${ANSWER}
     FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) AS asked (at, key_id, endpoint, idempotency_key)
       JOIN kept_answers USING (key_id, endpoint, idempotency_key)`,
  );
  const keepAnswers = database.prepare(
    `INSERT INTO kept_answers (key_id, endpoint, idempotency_key, fingerprint, status, body, location, created_at)
     SELECT key_id, endpoint, idempotency_key, fingerprint, status, body, location, created_at
     FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bytea[], $5::bigint[], $6::text[], $7::text[], $8::bigint[])
       AS kept (key_id, endpoint, idempotency_key, fingerprint, status, body, location, created_at)
     ON CONFLICT (key_id, endpoint, idempotency_key) DO UPDATE SET fingerprint = excluded.fingerprint,
       status = excluded.status, body = excluded.body, location = excluded.location, created_at = excluded.created_at`,
  );

  /** Holds the keys' rows to the end of the transaction, so that one submission of a key is judged at a time. */
  async function lock(ask: Ask, submissions: Submission[]): Promise<Map<number, LimitState>> {
    const keys = [...new Set(submissions.map(({ key }) => key.id))].sort((one, other) => one - other);
    const states = new Map<number, LimitState>();
    const read = async (some: number[]) => {
      const rows = await ask<LimitState & { key: number }>(lockLimits, some);
      for (const { key, openAt, day, used } of rows) states.set(key, { openAt, day, used });
    };
    await read(keys);
    const unused = keys.filter((key) => !states.has(key));
    if (unused.length > 0) {
      await ask(firstLimits, unused, UNUSED.openAt, UNUSED.day, UNUSED.used);
      await read(unused);
    }
    return states;
  }

  async function keptAnswers(ask: Ask, submissions: Submission[]): Promise<Map<number, KeptAnswer>> {
    if (submissions.every(({ idempotency }) => idempotency === null)) return new Map();
    const rows = await ask<KeptAnswer & { at: number }>(findAnswers, ...identities(submissions));
    return new Map(rows.map((row) => [row.at, row]));
  }

  async function makeAnswers(ask: Ask, due: Submission[]): Promise<Answer[]> {
    const attempts = await makeLinks(
      ask,
      due.flatMap(({ key, links, now }) =>
        links.map((link) => ({
          ...link,
          createdAt: now,
          accountId: key.accountId,
          keyId: key.id,
          ownKeyId: key.ownLinksOnly ? key.id : null,
        })),
      ),
    );
    let from = 0;
    return due.map(({ links, answer }) => {
      const made = attempts.slice(from, from + links.length).map(({ made }) => made);
      from += links.length;
      return answer(made);
    });
  }

  async function charge(ask: Ask, changed: Map<number, LimitState>): Promise<void> {
    if (changed.size === 0) return;
    const states = [...changed.values()];
    await ask(
      writeLimits,
      [...changed.keys()],
      states.map(({ openAt }) => openAt),
      states.map(({ day }) => day),
      states.map(({ used }) => used),
    );
  }

  async function keep(ask: Ask, due: Submission[], answers: Answer[]): Promise<void> {
    const kept = due.flatMap(({ key, now, idempotency }, at) =>
      idempotency ? [{ keyId: key.id, now, idempotency, answer: answers[at] as Answer }] : [],
    );
    if (kept.length === 0) return;
    await ask(
      keepAnswers,
      kept.map(({ keyId }) => keyId),
      kept.map(({ idempotency }) => idempotency.endpoint),
      kept.map(({ idempotency }) => idempotency.key),
      kept.map(({ idempotency }) => idempotency.fingerprint),
      kept.map(({ answer }) => answer.status),
      kept.map(({ answer }) => answer.body),
      kept.map(({ answer }) => answer.location),
      kept.map(({ now }) => now),
    );
  }

  return async (ask: Ask, submissions: Submission[]): Promise<Outcome[]> => {
    const states = await lock(ask, submissions);
    const kept = await keptAnswers(ask, submissions);
    const changed = new Map<number, LimitState>();
    const judged: Judgement[] = submissions.map((submission, at) => {
      const before = states.get(submission.key.id) ?? UNUSED;
      const judgement = judge(submission, before, kept.get(at));
      states.set(submission.key.id, judgement.state);
      if (judgement.state !== before) changed.set(submission.key.id, judgement.state);
      return judgement;
    });
    const due = submissions.filter((_, at) => judged[at]?.outcome === null);
    const answers = await makeAnswers(ask, due);
    await charge(ask, changed);
    await keep(ask, due, answers);
    const answered = answers.values();
    return judged.map(({ outcome, limits }) => {
      return outcome ?? { kind: 'answered', answer: answered.next().value as Answer, limits };
    });
  };
}
