import sql from 'sql-template-tag';
import type { Session, SessionStore } from '../account-store.ts';
import type { SharedDatabase } from './database.ts';

const SELECT = sql`SELECT s.id, s.account_id AS "accountId", a.name AS "accountName", s.created_at AS "createdAt",
    s.last_used_at AS "lastUsedAt", s.device
  FROM sessions s JOIN accounts a ON a.id = s.account_id`;

export function sessionStore({ read, write, transaction, rowLock }: SharedDatabase): SessionStore {
  return {
    create: ({ hash, accountId, password, device, now }) =>
      transaction(async ({ run }) => {
        // Whoever ends all sessions meanwhile waits until this one is there to be ended; or this waits, and is refused.
        const verified = await run(sql`SELECT account_id FROM credentials JOIN accounts ON accounts.id = account_id
          WHERE account_id = ${accountId} AND password = ${password} AND disabled_at IS NULL ${rowLock}`);
        if (verified.length === 0) return null;
        await run(sql`INSERT INTO sessions (token_hash, account_id, created_at, last_used_at, device)
          VALUES (${hash}, ${accountId}, ${now}, ${now}, ${device})`);
        const [session] = await run<Session>(sql`${SELECT} WHERE s.token_hash = ${hash}`);
        return session as Session;
      }),
    find: async (hash) => (await read<Session>(sql`${SELECT} WHERE s.token_hash = ${hash}`))[0] ?? null,
    list: (accountId) =>
      read<Session>(sql`${SELECT} WHERE s.account_id = ${accountId} ORDER BY s.last_used_at DESC, s.id DESC`),
    async touch(id, now) {
      await write(sql`UPDATE sessions SET last_used_at = ${now} WHERE id = ${id}`);
    },
    async end(accountId, id) {
      const ended = await write(sql`DELETE FROM sessions WHERE account_id = ${accountId} AND id = ${id} RETURNING id`);
      return ended.length === 1;
    },
    async forget(unusedSince, begunBefore, most) {
      const forgotten = await write(sql`DELETE FROM sessions WHERE id IN (
        SELECT id FROM sessions WHERE last_used_at <= ${unusedSince} OR created_at <= ${begunBefore} LIMIT ${most}
      ) RETURNING id`);
      return forgotten.length;
    },
  };
}
