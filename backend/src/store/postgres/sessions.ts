import type { Session, SessionStore } from '../account-store.ts';
import type { Database } from './database.ts';

const SELECT = `SELECT s.id, s.account_id AS "accountId", a.name AS "accountName", s.created_at AS "createdAt",
    s.last_used_at AS "lastUsedAt", s.device
  FROM sessions s JOIN accounts a ON a.id = s.account_id`;

export function sessionStore(database: Database): SessionStore {
  // Whoever ends all sessions meanwhile waits until this one is there to be ended, or this waits, and finds why it must not.
  const verified = database.prepare(
    `SELECT account_id FROM credentials JOIN accounts ON accounts.id = account_id
     WHERE account_id = $1 AND password = $2 AND disabled_at IS NULL FOR SHARE`,
  );
  const insert = database.prepare(
    'INSERT INTO sessions (token_hash, account_id, created_at, last_used_at, device) VALUES ($1, $2, $3, $3, $4)',
  );
  const byHash = database.prepare(`${SELECT} WHERE s.token_hash = $1`);
  const ofAccount = database.prepare(`${SELECT} WHERE s.account_id = $1 ORDER BY s.last_used_at DESC, s.id DESC`);
  const touch = database.prepare('UPDATE sessions SET last_used_at = $1 WHERE id = $2');
  const end = database.prepare('DELETE FROM sessions WHERE account_id = $1 AND id = $2 RETURNING id');
  const forget = database.prepare('DELETE FROM sessions WHERE last_used_at <= $1 OR created_at <= $2 RETURNING id');

  return {
    create: ({ hash, accountId, password, device, now }) =>
      database.transaction(async (ask) => {
        if ((await ask(verified, accountId, password)).length === 0) return null;
        await ask(insert, hash, accountId, now, device);
        const [session] = await ask<Session>(byHash, hash);
        return session as Session;
      }),
    find: async (hash) => (await database.read<Session>(byHash, hash))[0] ?? null,
    list: (accountId) => database.read<Session>(ofAccount, accountId),
    async touch(id, now) {
      await database.write(touch, now, id);
    },
    end: async (accountId, id) => (await database.write(end, accountId, id)).length === 1,
    forget: async (unusedSince, begunBefore) => (await database.write(forget, unusedSince, begunBefore)).length,
  };
}
