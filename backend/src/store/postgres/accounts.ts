import type { Acceptance, Account, AccountStore, Credentials } from '../account-store.ts';
import { FIRST_ACCOUNT } from '../store.ts';
import { clearing } from './clearing.ts';
import type { Ask, Database } from './database.ts';
import { isDuplicate } from './faults.ts';

const SELECT = `SELECT a.id, a.name, a.created_at AS "createdAt", c.account_id IS NOT NULL AS "hasHolder",
    a.disabled_at AS "disabledAt"
  FROM accounts a LEFT JOIN credentials c ON c.account_id = a.id`;

/** Nobody's: neither held, nor invited to, nor owner of anything. */
const ABANDONED = ['credentials', 'invitations', 'api_keys', 'links', 'imports']
  .map((table) => `NOT EXISTS (SELECT 1 FROM ${table} WHERE account_id = accounts.id)`)
  .join(' AND ');

export function accountStore(database: Database): AccountStore {
  const insert = database.prepare('INSERT INTO accounts (name, created_at) VALUES ($1, $2) RETURNING id');
  const byId = database.prepare(`${SELECT} WHERE a.id = $1 AND a.removed_at IS NULL`);
  const all = database.prepare(`${SELECT} WHERE a.removed_at IS NULL ORDER BY a.id`);
  const byName = database.prepare(
    `SELECT account_id AS "accountId", password FROM credentials JOIN accounts ON accounts.id = account_id
     WHERE name_key = $1 AND disabled_at IS NULL`,
  );
  const ofAccount = database.prepare(
    'SELECT account_id AS "accountId", password FROM credentials WHERE account_id = $1',
  );
  const setPassword = database.prepare(
    'UPDATE credentials SET password = $1, changed_at = $2 WHERE account_id = $3 AND password = $4 RETURNING account_id',
  );
  const endOthers = database.prepare('DELETE FROM sessions WHERE account_id = $1 AND id <> $2');
  const endAll = database.prepare('DELETE FROM sessions WHERE account_id = $1');
  const invite = database.prepare(
    'INSERT INTO invitations (token_hash, account_id, created_at, expires_at) VALUES ($1, $2, $3, $4)',
  );
  const invited = database.prepare(
    `${SELECT} JOIN invitations i ON i.account_id = a.id WHERE i.token_hash = $1 AND i.expires_at > $2`,
  );
  // Whoever comes second waits here, and then finds the invitation gone.
  const takeUp = database.prepare(
    `SELECT account_id AS "accountId" FROM invitations WHERE token_hash = $1 AND expires_at > $2 FOR UPDATE`,
  );
  const endInvitations = database.prepare('DELETE FROM invitations WHERE account_id = $1');
  const disable = database.prepare(
    'UPDATE accounts SET disabled_at = coalesce(disabled_at, $1) WHERE id = $2 RETURNING id',
  );
  const enable = database.prepare('UPDATE accounts SET disabled_at = NULL WHERE id = $1 RETURNING id');
  const remove = database.prepare(
    `UPDATE accounts SET removed_at = $1, disabled_at = coalesce(disabled_at, $1), name = ''
     WHERE id = $2 AND removed_at IS NULL RETURNING id`,
  );
  const revokeAll = database.prepare('UPDATE api_keys SET revoked_at = coalesce(revoked_at, $1) WHERE account_id = $2');
  const endCredentials = database.prepare('DELETE FROM credentials WHERE account_id = $1');
  const endVerified = database.prepare(
    'DELETE FROM credentials WHERE account_id = $1 AND password = $2 RETURNING account_id',
  );
  const forgetInvitations = database.prepare('DELETE FROM invitations WHERE expires_at <= $1');
  const forgetAccounts = database.prepare(
    `DELETE FROM accounts WHERE id > ${FIRST_ACCOUNT} AND created_at <= $1 AND ${ABANDONED} RETURNING id`,
  );
  const rename = database.prepare('UPDATE accounts SET name = $1 WHERE id = $2');
  const setCredentials = database.prepare(
    `INSERT INTO credentials (account_id, name_key, password, changed_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (account_id) DO UPDATE SET
       name_key = excluded.name_key, password = excluded.password, changed_at = excluded.changed_at`,
  );

  async function carryOut(ask: Ask, { hash, name, nameKey, password, now }: Acceptance) {
    const [invitation] = await ask<{ accountId: number }>(takeUp, hash, now);
    if (!invitation) return 'unknown' as const;
    const { accountId } = invitation;
    // In the order in which a session that begins locks them.
    await ask(setCredentials, accountId, nameKey, password, now);
    await ask(rename, name, accountId);
    await ask(endAll, accountId);
    await ask(endInvitations, accountId);
    return { accountId };
  }

  return {
    async create(name, now) {
      const [row] = await database.write<{ id: number }>(insert, name, now);
      return { id: row?.id as number, name, createdAt: now, hasHolder: false, disabledAt: null };
    },
    get: async (id) => (await database.read<Account>(byId, id))[0] ?? null,
    list: () => database.read<Account>(all),
    credentials: async (nameKey) => (await database.read<Credentials>(byName, nameKey))[0] ?? null,
    credentialsOf: async (accountId) => (await database.read<Credentials>(ofAccount, accountId))[0] ?? null,
    changePassword: ({ accountId, verified, password, keptSession, now }) =>
      database.transaction(async (ask) => {
        if ((await ask(setPassword, password, now, accountId, verified)).length === 0) return false;
        await ask(endOthers, accountId, keptSession);
        await ask(endInvitations, accountId);
        return true;
      }),
    async invite({ accountId, hash, createdAt, expiresAt }) {
      await database.write(invite, hash, accountId, createdAt, expiresAt);
    },
    invited: async (hash, now) => (await database.read<Account>(invited, hash, now))[0] ?? null,
    async accept(acceptance) {
      try {
        return await database.transaction((ask) => carryOut(ask, acceptance));
      } catch (error) {
        // The constraint on names alone can tell which of two that come at once was first.
        if (isDuplicate(error)) return 'name_taken';
        throw error;
      }
    },
    disable: (id, now) =>
      database.transaction(async (ask) => {
        // First, since a session that begins meanwhile waits for it, or is there to be ended.
        const known = (await ask(disable, now, id)).length === 1;
        await ask(endAll, id);
        await ask(endInvitations, id);
        return known;
      }),
    enable: async (id) => (await database.write(enable, id)).length === 1,
    remove: ({ accountId, verified, now }) =>
      database.transaction(async (ask) => {
        if (accountId === FIRST_ACCOUNT) return false;
        if (verified !== null && (await ask(endVerified, accountId, verified)).length === 0) return false;
        await ask(endCredentials, accountId);
        await ask(revokeAll, now, accountId);
        const known = (await ask(remove, now, accountId)).length === 1;
        await ask(endAll, accountId);
        await ask(endInvitations, accountId);
        return known;
      }),
    clear: clearing(database),
    forget: (now, madeBy) =>
      database.transaction(async (ask) => {
        await ask(forgetInvitations, now);
        return (await ask(forgetAccounts, madeBy)).length;
      }),
  };
}
