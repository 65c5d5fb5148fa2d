import type { Session, SessionStore } from '../account-store.ts';
import type { Database } from './database.ts';

const SELECT = `SELECT s.id, s.account_id AS accountId, a.name AS accountName, s.created_at AS createdAt,
    s.last_used_at AS lastUsedAt, s.device
  FROM sessions s JOIN accounts a ON a.id = s.account_id`;

export function sessionStore(database: Database): SessionStore {
  const insert = database.prepare(
    `INSERT INTO sessions (token_hash, account_id, created_at, last_used_at, device)
     SELECT @hash, account_id, @now, @now, @device FROM credentials JOIN accounts ON accounts.id = account_id
     WHERE account_id = @accountId AND password = @password AND disabled_at IS NULL`,
  );
  const byHash = database.prepare(`${SELECT} WHERE s.token_hash = ?`);
  const ofAccount = database.prepare(`${SELECT} WHERE s.account_id = ? ORDER BY s.last_used_at DESC, s.id DESC`);
  const touch = database.prepare('UPDATE sessions SET last_used_at = ? WHERE id = ?');
  const end = database.prepare('DELETE FROM sessions WHERE account_id = ? AND id = ?');
  const forget = database.prepare('DELETE FROM sessions WHERE last_used_at <= ? OR created_at <= ?');

  return {
    create: ({ hash, accountId, password, device, now }) =>
      database.write(() => {
        insert.run({ hash, accountId, password, device, now });
        return (byHash.get(hash) as unknown as Session | undefined) ?? null;
      }),
    find: async (hash) => (byHash.get(hash) as unknown as Session | undefined) ?? null,
    list: async (accountId) => ofAccount.all(accountId) as unknown as Session[],
    touch: (id, now) =>
      database.write(() => {
        touch.run(now, id);
      }),
    end: (accountId, id) => database.write(() => end.run(accountId, id).changes === 1),
    forget: (unusedSince, begunBefore) => database.write(() => Number(forget.run(unusedSince, begunBefore).changes)),
  };
}
