import type { Acceptance, Account, AccountStore, Credentials } from '../account-store.ts';
import { FIRST_ACCOUNT } from '../store.ts';
import { clearing } from './clearing.ts';
import type { Database } from './database.ts';

const SELECT = `SELECT a.id, a.name, a.created_at AS createdAt, c.account_id IS NOT NULL AS hasHolder,
    a.disabled_at AS disabledAt
  FROM accounts a LEFT JOIN credentials c ON c.account_id = a.id`;

/** Nobody's: neither held, nor invited to, nor owner of anything. */
const ABANDONED = ['credentials', 'invitations', 'api_keys', 'links', 'imports']
  .map((table) => `NOT EXISTS (SELECT 1 FROM ${table} WHERE account_id = accounts.id)`)
  .join(' AND ');

export function accountStore(database: Database): AccountStore {
  const insert = database.prepare('INSERT INTO accounts (name, created_at) VALUES (?, ?) RETURNING id');
  const byId = database.prepare(`${SELECT} WHERE a.id = ? AND a.removed_at IS NULL`);
  const all = database.prepare(`${SELECT} WHERE a.removed_at IS NULL ORDER BY a.id`);
  const byName = database.prepare(
    `SELECT account_id AS accountId, password FROM credentials JOIN accounts ON accounts.id = account_id
     WHERE name_key = ? AND disabled_at IS NULL`,
  );
  const namesake = database.prepare('SELECT account_id AS accountId FROM credentials WHERE name_key = ?');
  const ofAccount = database.prepare('SELECT account_id AS accountId, password FROM credentials WHERE account_id = ?');
  const setPassword = database.prepare(
    'UPDATE credentials SET password = ?, changed_at = ? WHERE account_id = ? AND password = ?',
  );
  const endOthers = database.prepare('DELETE FROM sessions WHERE account_id = ? AND id <> ?');
  const endAll = database.prepare('DELETE FROM sessions WHERE account_id = ?');
  const invite = database.prepare(
    'INSERT INTO invitations (token_hash, account_id, created_at, expires_at) VALUES (?, ?, ?, ?)',
  );
  const invited = database.prepare(
    `${SELECT} JOIN invitations i ON i.account_id = a.id WHERE i.token_hash = ? AND i.expires_at > ?`,
  );
  const endInvitations = database.prepare('DELETE FROM invitations WHERE account_id = ?');
  const disable = database.prepare('UPDATE accounts SET disabled_at = coalesce(disabled_at, ?) WHERE id = ?');
  const enable = database.prepare('UPDATE accounts SET disabled_at = NULL WHERE id = ?');
  const remove = database.prepare(
    `UPDATE accounts SET removed_at = ?, disabled_at = coalesce(disabled_at, ?), name = ''
     WHERE id = ? AND removed_at IS NULL`,
  );
  const revokeAll = database.prepare('UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE account_id = ?');
  const endCredentials = database.prepare('DELETE FROM credentials WHERE account_id = ?');
  const endVerified = database.prepare('DELETE FROM credentials WHERE account_id = ? AND password = ?');
  const forgetInvitations = database.prepare('DELETE FROM invitations WHERE expires_at <= ?');
  const forgetAccounts = database.prepare(
    `DELETE FROM accounts WHERE id > ${FIRST_ACCOUNT} AND created_at <= ? AND ${ABANDONED}`,
  );
  const rename = database.prepare('UPDATE accounts SET name = ? WHERE id = ?');
  const setCredentials = database.prepare(
    `INSERT INTO credentials (account_id, name_key, password, changed_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (account_id) DO UPDATE SET
       name_key = excluded.name_key, password = excluded.password, changed_at = excluded.changed_at`,
  );

  function carryOut({ hash, name, nameKey, password, now }: Acceptance) {
    const account = invited.get(hash, now);
    if (!account) return 'unknown' as const;
    const accountId = account.id as number;
    const holder = namesake.get(nameKey);
    if (holder && holder.accountId !== accountId) return 'name_taken' as const;
    rename.run(name, accountId);
    setCredentials.run(accountId, nameKey, password, now);
    endAll.run(accountId);
    endInvitations.run(accountId);
    return { accountId };
  }

  return {
    create: (name, now) =>
      database.write(() => ({
        id: insert.get(name, now)?.id as number,
        name,
        createdAt: now,
        hasHolder: false,
        disabledAt: null,
      })),
    get: async (id) => toAccount(byId.get(id)),
    list: async () => all.all().map((row) => toAccount(row) as Account),
    credentials: async (nameKey) => (byName.get(nameKey) as unknown as Credentials | undefined) ?? null,
    credentialsOf: async (accountId) => (ofAccount.get(accountId) as unknown as Credentials | undefined) ?? null,
    changePassword: ({ accountId, verified, password, keptSession, now }) =>
      database.write(() => {
        if (setPassword.run(password, now, accountId, verified).changes === 0) return false;
        endOthers.run(accountId, keptSession);
        endInvitations.run(accountId);
        return true;
      }),
    invite: ({ accountId, hash, createdAt, expiresAt }) =>
      database.write(() => {
        invite.run(hash, accountId, createdAt, expiresAt);
      }),
    invited: async (hash, now) => toAccount(invited.get(hash, now)),
    accept: (acceptance) => database.write(() => carryOut(acceptance)),
    disable: (id, now) =>
      database.write(() => {
        endAll.run(id);
        endInvitations.run(id);
        return disable.run(now, id).changes === 1;
      }),
    enable: (id) => database.write(() => enable.run(id).changes === 1),
    remove: ({ accountId, verified, now }) =>
      database.write(() => {
        if (accountId === FIRST_ACCOUNT) return false;
        if (verified !== null && endVerified.run(accountId, verified).changes === 0) return false;
        endCredentials.run(accountId);
        revokeAll.run(now, accountId);
        endAll.run(accountId);
        endInvitations.run(accountId);
        return remove.run(now, now, accountId).changes === 1;
      }),
    clear: clearing(database),
    forget: (now, madeBy) =>
      database.write(() => {
        forgetInvitations.run(now);
        return Number(forgetAccounts.run(madeBy).changes);
      }),
  };
}

function toAccount(row: Record<string, unknown> | undefined): Account | null {
  return row ? ({ ...row, hasHolder: row.hasHolder === 1 } as unknown as Account) : null;
}
