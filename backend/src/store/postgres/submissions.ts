import type { LimitState } from '../../domain/limits.ts';
import { gather } from '../gather.ts';
import { type Outcome, StoreUnavailable, type Submission, type SubmissionStore } from '../store.ts';
import { ANSWER, identities, submissionCarrier } from './carry-out.ts';
import type { Database } from './database.ts';
import { judgeFree, type KeptAnswer } from './judge.ts';

interface Asked {
  submission: Submission;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

type Standing = { at: number } & LimitState & (KeptAnswer | { [field in keyof KeptAnswer]: null });

/** Old answers are forgotten this many at a time, so that no lock is held for long. */
const FORGET_AT_ONCE = 5000;

export function submissionStore(database: Database): SubmissionStore {
  const carryOut = submissionCarrier(database);
  const add = gather(settle);
  const standing = database.prepare(
    `SELECT at, open_at AS "openAt", day, used, ${ANSWER}
     FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) AS asked (at, key_id, endpoint, idempotency_key)
       JOIN key_limits USING (key_id)
       LEFT JOIN kept_answers USING (key_id, endpoint, idempotency_key)`,
  );
  const forget = database.prepare(
    `DELETE FROM kept_answers WHERE (key_id, endpoint, idempotency_key) IN (
       SELECT key_id, endpoint, idempotency_key FROM kept_answers WHERE created_at <= $1 ORDER BY created_at LIMIT $2
     ) RETURNING key_id`,
  );

  async function settle(group: Asked[]): Promise<void> {
    try {
      const { first, later } = withoutTwins(await withoutFree(group));
      if (first.length > 0) await settleDue(first);
      for (const asked of later) add(asked);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  /**
   * Settles the submissions that nothing needs to be written for, seen without a lock: one statement sees one instant,
   * so whoever's charge it sees, their kept answer it sees too. Returns the others.
   */
  async function withoutFree(group: Asked[]): Promise<Asked[]> {
    const rows = await database.read<Standing>(standing, ...identities(group.map(({ submission }) => submission)));
    const known = new Map(rows.map((row) => [row.at, row]));
    return group.filter(({ submission, resolve }, at) => {
      const row = known.get(at);
      const outcome = row && judgeFree(submission, row, row.createdAt === null ? undefined : row);
      if (outcome) resolve(outcome);
      return !outcome;
    });
  }

  /** In one transaction. Where one of them is at fault, each in its own, so that it fails alone. */
  async function settleDue(group: Asked[]): Promise<void> {
    try {
      const submissions = group.map(({ submission }) => submission);
      const outcomes = await database.transaction((ask) => carryOut(ask, submissions));
      for (const [at, { resolve }] of group.entries()) resolve(outcomes[at] as Outcome);
    } catch (error) {
      if (group.length === 1 || error instanceof StoreUnavailable) for (const { reject } of group) reject(error);
      else for (const asked of group) await settleDue([asked]);
    }
  }

  return {
    submit: (submission) =>
      database.keepOpen(() => new Promise((resolve, reject) => add({ submission, resolve, reject }))),
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

/** Those that wait for the answer of a twin before them, and after them whatever comes by their API key, to keep its order. */
function withoutTwins(group: Asked[]): { first: Asked[]; later: Asked[] } {
  const begun = new Set<string>();
  const held = new Set<number>();
  const first: Asked[] = [];
  const later: Asked[] = [];
  for (const asked of group) {
    const { key, idempotency } = asked.submission;
    const identity = idempotency && `${key.id} ${idempotency.endpoint} ${idempotency.key}`;
    if (identity && begun.has(identity)) held.add(key.id);
    if (held.has(key.id)) later.push(asked);
    else first.push(asked);
    if (identity) begun.add(identity);
  }
  return { first, later };
}
