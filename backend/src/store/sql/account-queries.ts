import type { Sql } from 'sql-template-tag';
import sql from 'sql-template-tag';
import type {
  Acceptance,
  Account,
  AccountStore,
  Credentials,
  Session,
  SessionStore,
} from '../interface/account-store.ts';
import { FIRST_ACCOUNT } from '../interface/store.ts';
import { createOnce } from './form-submissions.ts';
import { purgeAccounts } from './purge-account.ts';
import type { Run, SharedDatabase } from './sql-runner.ts';

const SELECT = sql`SELECT a.id, a.name, a.created_at AS "createdAt", c.account_id AS holder, a.disabled_at AS "disabledAt"
  FROM accounts a LEFT JOIN credentials c ON c.account_id = a.id`;

const CREDENTIALS = sql`SELECT account_id AS "accountId", password FROM credentials`;

/** Thrown to roll back a transaction if another account has the same name. */
class NameTaken extends Error {}

export function accountStore(database: SharedDatabase): AccountStore {
  const { read, write, transaction, rowLock } = database;
  const isKnown = async (update: Promise<unknown[]>) => (await update).length === 1;

  async function accountWhere(condition: Sql): Promise<Account | null> {
    const [row] = await read<AccountRow>(sql`${SELECT} ${condition}`);
    return row ? toAccount(row) : null;
  }

  async function credentialsWhere(condition: Sql): Promise<Credentials | null> {
    return (await read<Credentials>(sql`${CREDENTIALS} ${condition}`))[0] ?? null;
  }

  async function accept(run: Run, { hash, name, nameKey, password, now }: Acceptance) {
    // If the invitation is accepted twice at the same time, the second transaction waits until the first has deleted
    // the invitation.
    const [invitation] = await run<{ accountId: number }>(sql`SELECT account_id AS "accountId" FROM invitations
      WHERE token_hash = ${hash} AND expires_at > ${now} ${rowLock}`);
    if (!invitation) return 'unknown';
    const { accountId } = invitation;
    // Locks the credentials before the account to prevent deadlocks. The transaction that creates a session uses the
    // same order.
    await run(sql`DELETE FROM credentials WHERE account_id = ${accountId}`);
    const named = await run(sql`INSERT INTO credentials (account_id, name_key, password, changed_at)
      VALUES (${accountId}, ${nameKey}, ${password}, ${now}) ON CONFLICT (name_key) DO NOTHING RETURNING account_id`);
    if (named.length === 0) throw new NameTaken();
    await run(sql`UPDATE accounts SET name = ${name} WHERE id = ${accountId}`);
    await endSessions(run, accountId);
    await endInvitations(run, accountId);
    return { accountId };
  }

  async function create(run: Run, name: string, now: number): Promise<Account> {
    const [row] = await run<{ id: number }>(
      sql`INSERT INTO accounts (name, created_at) VALUES (${name}, ${now}) RETURNING id`,
    );
    return { id: row?.id as number, name, createdAt: now, hasHolder: false, disabledAt: null };
  }

  const get = (id: number) => accountWhere(sql`WHERE a.id = ${id} AND a.removed_at IS NULL`);

  return {
    create: (name, now) => create(write, name, now),
    async createFromForm(name, submission, now) {
      const { result } = await transaction(({ run }) =>
        createOnce(run, database, { accountId: FIRST_ACCOUNT, submission, now }, async () =>
          String((await create(run, name, now)).id),
        ),
      );
      return get(Number(result));
    },
    get,
    list: async () => (await read<AccountRow>(sql`${SELECT} WHERE a.removed_at IS NULL ORDER BY a.id`)).map(toAccount),
    credentials: (nameKey) =>
      credentialsWhere(
        sql`JOIN accounts ON accounts.id = account_id WHERE name_key = ${nameKey} AND disabled_at IS NULL`,
      ),
    credentialsOf: (accountId) => credentialsWhere(sql`WHERE account_id = ${accountId}`),
    changePassword: ({ accountId, verified, password, keptSession, now }) =>
      transaction(async ({ run }) => {
        const changed = await run(sql`UPDATE credentials SET password = ${password}, changed_at = ${now}
          WHERE account_id = ${accountId} AND password = ${verified} RETURNING account_id`);
        if (changed.length === 0) return false;
        await run(sql`DELETE FROM sessions WHERE account_id = ${accountId} AND id <> ${keptSession}`);
        await endInvitations(run, accountId);
        return true;
      }),
    async invite({ accountId, hash, createdAt, expiresAt }) {
      await write(sql`INSERT INTO invitations (token_hash, account_id, created_at, expires_at)
        VALUES (${hash}, ${accountId}, ${createdAt}, ${expiresAt})`);
    },
    invited: (hash, now) =>
      accountWhere(
        sql`JOIN invitations i ON i.account_id = a.id WHERE i.token_hash = ${hash} AND i.expires_at > ${now}`,
      ),
    async accept(acceptance) {
      try {
        return await transaction(({ run }) => accept(run, acceptance));
      } catch (error) {
        if (error instanceof NameTaken) return 'name_taken';
        throw error;
      }
    },
    disable: (id, now) =>
      transaction(async ({ run }) => {
        // The account is disabled before its sessions are deleted, so that no new session can be created in between.
        const known = await isKnown(
          run(sql`UPDATE accounts SET disabled_at = coalesce(disabled_at, ${now}) WHERE id = ${id} RETURNING id`),
        );
        await endSessions(run, id);
        await endInvitations(run, id);
        return known;
      }),
    enable: (id) => isKnown(write(sql`UPDATE accounts SET disabled_at = NULL WHERE id = ${id} RETURNING id`)),
    remove: ({ accountId, verified, now }) =>
      transaction(async ({ run }) => {
        if (accountId === FIRST_ACCOUNT) return false;
        const [credentials] = await run<Credentials>(sql`${CREDENTIALS} WHERE account_id = ${accountId} ${rowLock}`);
        if (verified !== null && credentials?.password !== verified) return false;
        await run(sql`DELETE FROM credentials WHERE account_id = ${accountId}`);
        await run(sql`UPDATE api_keys SET revoked_at = coalesce(revoked_at, ${now}) WHERE account_id = ${accountId}`);
        const known = await isKnown(
          run(sql`UPDATE accounts SET removed_at = ${now}, disabled_at = coalesce(disabled_at, ${now}), name = ''
            WHERE id = ${accountId} AND removed_at IS NULL RETURNING id`),
        );
        await endSessions(run, accountId);
        await endInvitations(run, accountId);
        return known;
      }),
    clear: purgeAccounts(database),
    forget: (now, createdBefore) =>
      transaction(async ({ run }) => {
        await run(sql`DELETE FROM invitations WHERE expires_at <= ${now}`);
        await run(sql`DELETE FROM form_submissions WHERE created_at <= ${createdBefore}`);
        const deleted = await run(sql`DELETE FROM accounts
          WHERE id > ${FIRST_ACCOUNT} AND created_at <= ${createdBefore} AND ${IS_ABANDONED} RETURNING id`);
        return deleted.length;
      }),
  };
}

const IS_ABANDONED = sql`NOT EXISTS (SELECT 1 FROM credentials WHERE account_id = accounts.id)
  AND NOT EXISTS (SELECT 1 FROM invitations WHERE account_id = accounts.id)
  AND NOT EXISTS (SELECT 1 FROM api_keys WHERE account_id = accounts.id)
  AND NOT EXISTS (SELECT 1 FROM links WHERE account_id = accounts.id)
  AND NOT EXISTS (SELECT 1 FROM imports WHERE account_id = accounts.id)`;

async function endSessions(run: Run, accountId: number): Promise<void> {
  await run(sql`DELETE FROM sessions WHERE account_id = ${accountId}`);
}

async function endInvitations(run: Run, accountId: number): Promise<void> {
  await run(sql`DELETE FROM invitations WHERE account_id = ${accountId}`);
}

interface AccountRow extends Omit<Account, 'hasHolder'> {
  holder: number | null;
}

function toAccount({ holder, ...account }: AccountRow): Account {
  return { ...account, hasHolder: holder !== null };
}

const SESSIONS_SELECT = sql`SELECT s.id, s.account_id AS "accountId", a.name AS "accountName", s.created_at AS "createdAt",
    s.last_used_at AS "lastUsedAt", s.device
  FROM sessions s JOIN accounts a ON a.id = s.account_id`;

export function sessionStore({ read, write, transaction, rowLock }: SharedDatabase): SessionStore {
  return {
    create: ({ hash, accountId, password, device, now }) =>
      transaction(async ({ run }) => {
        // Locks the credentials, so that no session can be created with the old password during a password change.
        const verified = await run(sql`SELECT account_id FROM credentials JOIN accounts ON accounts.id = account_id
          WHERE account_id = ${accountId} AND password = ${password} AND disabled_at IS NULL ${rowLock}`);
        if (verified.length === 0) return null;
        await run(sql`INSERT INTO sessions (token_hash, account_id, created_at, last_used_at, device)
          VALUES (${hash}, ${accountId}, ${now}, ${now}, ${device})`);
        const [session] = await run<Session>(sql`${SESSIONS_SELECT} WHERE s.token_hash = ${hash}`);
        return session as Session;
      }),
    find: async (hash) => (await read<Session>(sql`${SESSIONS_SELECT} WHERE s.token_hash = ${hash}`))[0] ?? null,
    list: (accountId) =>
      read<Session>(sql`${SESSIONS_SELECT} WHERE s.account_id = ${accountId} ORDER BY s.last_used_at DESC, s.id DESC`),
    async touch(id, now) {
      await write(sql`UPDATE sessions SET last_used_at = ${now} WHERE id = ${id}`);
    },
    async end(accountId, id) {
      const ended = await write(sql`DELETE FROM sessions WHERE account_id = ${accountId} AND id = ${id} RETURNING id`);
      return ended.length === 1;
    },
    async forget(unusedSince, createdBefore, max) {
      const deleted = await write(sql`DELETE FROM sessions WHERE id IN (
        SELECT id FROM sessions WHERE last_used_at <= ${unusedSince} OR created_at <= ${createdBefore} LIMIT ${max}
      ) RETURNING id`);
      return deleted.length;
    },
  };
}
