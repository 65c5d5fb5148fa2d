import sql, { type Sql } from 'sql-template-tag';
import { type Database, isKnown, type Run } from './database.ts';

export interface Session {
  id: number;
  accountId: number;
  accountName: string;
  createdAt: number;
  lastUsedAt: number;
  device: string;
}

/** `password` is the password hash that the entered password matched. */
export interface NewSession {
  accountId: number;
  hash: Uint8Array;
  password: string;
  device: string;
  now: number;
}

export function sessionStore({ read, write, transaction, rowLock }: Database) {
  const sessionsWhere = (run: Run, condition: Sql) =>
    run<Session>(sql`SELECT s.id, s.account_id AS "accountId", a.name AS "accountName", s.created_at AS "createdAt",
        s.last_used_at AS "lastUsedAt", s.device
      FROM sessions s JOIN accounts a ON a.id = s.account_id
      WHERE ${condition} ORDER BY s.last_used_at DESC, s.id DESC`);

  return {
    /**
     * Creates a session. Returns null if the account is disabled or if the password was changed after the user entered
     * it. A sign-in with the old password therefore fails even during a password change.
     */
    create: ({ hash, accountId, password, device, now }: NewSession) =>
      transaction(async (run): Promise<Session | null> => {
        // Locks the account, so that no session can be created with the old password during a password change.
        const verified = await run(sql`SELECT id FROM accounts
          WHERE id = ${accountId} AND password = ${password} AND disabled_at IS NULL ${rowLock}`);
        if (verified.length === 0) return null;
        await run(sql`INSERT INTO sessions (token_hash, account_id, created_at, last_used_at, device)
          VALUES (${hash}, ${accountId}, ${now}, ${now}, ${device})`);
        const [session] = await sessionsWhere(run, sql`s.token_hash = ${hash}`);
        return session as Session;
      }),
    async find(hash: Uint8Array): Promise<Session | null> {
      return (await sessionsWhere(read, sql`s.token_hash = ${hash}`))[0] ?? null;
    },
    list: (accountId: number) => sessionsWhere(read, sql`s.account_id = ${accountId}`),
    async touch(id: number, now: number): Promise<void> {
      await write(sql`UPDATE sessions SET last_used_at = ${now} WHERE id = ${id}`);
    },
    end: (accountId: number, id: number) =>
      isKnown(write(sql`DELETE FROM sessions WHERE account_id = ${accountId} AND id = ${id} RETURNING id`)),
    /** Deletes the sessions that were last used before `unusedSince` or created before `createdBefore`. */
    async forget(unusedSince: number, createdBefore: number): Promise<void> {
      await write(sql`DELETE FROM sessions WHERE last_used_at <= ${unusedSince} OR created_at <= ${createdBefore}`);
    },
  };
}
