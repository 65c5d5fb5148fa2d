import sql, { join, type Sql } from 'sql-template-tag';
import {
  type createInvitation,
  INVITATION_LIFETIME_MS,
  SESSION_LIFETIME_MS,
} from '../../domain/accounts/names-invitations-sessions.ts';
import { CACHED_RESPONSES, createOnce } from './create-request.ts';
import { type Database, deleteSome, isExpired, isKnown, type Run } from './database.ts';
import { forgetImport } from './import-queries.ts';

/** Account of the service's owner, which every database contains. API keys created on the command line belong to it. */
export const FIRST_ACCOUNT = 1;

/** Owner of API keys and links: one person or a group. */
export interface Account {
  id: number;
  name: string;
  createdAt: number;
  /** True if a person has accepted the invitation to the account and can sign in. */
  hasHolder: boolean;
  disabledAt: number | null;
}

export interface Credentials {
  accountId: number;
  password: string;
}

type Invitation = ReturnType<typeof createInvitation>['stored'];

export interface Acceptance {
  hash: Uint8Array;
  name: string;
  nameKey: string;
  password: string;
  now: number;
}

type AccountRow = Omit<Account, 'hasHolder'> & { password: string | null };

export function accountStore(database: Database) {
  const { read, write, transaction, rowLock } = database;

  async function accountsWhere(condition: Sql): Promise<Account[]> {
    const rows = await read<AccountRow>(sql`SELECT id, name, created_at AS "createdAt", password,
      disabled_at AS "disabledAt" FROM accounts WHERE ${condition} ORDER BY id`);
    return rows.map(({ password, ...account }) => ({ ...account, hasHolder: password !== null }));
  }

  async function credentialsWhere(condition: Sql): Promise<Credentials | null> {
    const [found] = await read<Credentials>(
      sql`SELECT id AS "accountId", password FROM accounts WHERE password IS NOT NULL AND ${condition}`,
    );
    return found ?? null;
  }

  async function get(id: number): Promise<Account | null> {
    return (await accountsWhere(sql`id = ${id} AND removed_at IS NULL`))[0] ?? null;
  }

  async function create(run: Run, name: string, now: number): Promise<Account> {
    const [row] = await run<{ id: number }>(
      sql`INSERT INTO accounts (name, created_at) VALUES (${name}, ${now}) RETURNING id`,
    );
    return { id: row?.id as number, name, createdAt: now, hasHolder: false, disabledAt: null };
  }

  return {
    create: (name: string, now: number) => create(write, name, now),
    /**
     * Creates an account for a form of the owner. If the form was already submitted, returns the account of the first
     * time, or null if that account was removed.
     */
    async createFromForm(name: string, submission: Uint8Array | null, now: number): Promise<Account | null> {
      const { result } = await transaction((run) =>
        createOnce(run, database, { accountId: FIRST_ACCOUNT, submission, now }, async () =>
          String((await create(run, name, now)).id),
        ),
      );
      return get(Number(result));
    },
    get,
    list: () => accountsWhere(sql`removed_at IS NULL`),
    /** Returns the password hash for an account name, or null if the name is unknown or the account is disabled. */
    credentials: (nameKey: string) => credentialsWhere(sql`name_key = ${nameKey} AND disabled_at IS NULL`),
    credentialsOf: (accountId: number) => credentialsWhere(sql`id = ${accountId}`),
    /**
     * Sets a new password, ends all sessions of the account except `keptSession`, and deletes its invitations. If the
     * stored password hash differs from `verified`, which the user has entered, returns false and changes nothing.
     */
    changePassword: ({
      accountId,
      verified,
      password,
      keptSession,
    }: Credentials & { verified: string; keptSession: number }) =>
      transaction(async (run) => {
        const changed = await isKnown(
          run(sql`UPDATE accounts SET password = ${password}
            WHERE id = ${accountId} AND password = ${verified} RETURNING id`),
        );
        if (changed) await endAccess(run, accountId, keptSession);
        return changed;
      }),
    async invite({ accountId, hash, createdAt, expiresAt }: Invitation): Promise<void> {
      await write(sql`INSERT INTO invitations (token_hash, account_id, created_at, expires_at)
        VALUES (${hash}, ${accountId}, ${createdAt}, ${expiresAt})`);
    },
    /** Returns the account of an invitation, or null if the invitation is unknown, used or expired. */
    async invited(hash: Uint8Array, now: number): Promise<Account | null> {
      const [account] = await accountsWhere(sql`id IN (
        SELECT account_id FROM invitations WHERE token_hash = ${hash} AND expires_at > ${now})`);
      return account ?? null;
    },
    /**
     * Accepts an invitation: sets the name and password of the account, ends its sessions and deletes its invitations.
     * Returns `unknown` if the invitation is not valid, and `name_taken` if another account has the name. In both
     * cases, nothing is changed.
     */
    accept: ({ hash, name, nameKey, password, now }: Acceptance) =>
      transaction(async (run): Promise<{ accountId: number } | 'unknown' | 'name_taken'> => {
        // Only one transaction at a time accepts an invitation, so that two accounts cannot get the same name.
        await run(sql`SELECT id FROM accounts WHERE id = ${FIRST_ACCOUNT} ${rowLock}`);
        const [invitation] = await run<{ accountId: number }>(sql`SELECT account_id AS "accountId" FROM invitations
          WHERE token_hash = ${hash} AND expires_at > ${now}`);
        if (!invitation) return 'unknown';
        const { accountId } = invitation;
        const taken = await run(sql`SELECT id FROM accounts WHERE name_key = ${nameKey} AND id <> ${accountId}`);
        if (taken.length > 0) return 'name_taken';
        await run(sql`UPDATE accounts SET name = ${name}, name_key = ${nameKey}, password = ${password}
          WHERE id = ${accountId}`);
        await endAccess(run, accountId);
        return { accountId };
      }),
    /**
     * Disables an account, ends its sessions, stops its imports and deletes its invitations. If the account is already
     * disabled, its `disabledAt` stays unchanged. Returns false if the account does not exist.
     */
    disable: (id: number, now: number) =>
      transaction(async (run) => {
        // The account is disabled before its sessions are deleted, so that no new session can be created in between.
        const known = await isKnown(
          run(sql`UPDATE accounts SET disabled_at = coalesce(disabled_at, ${now}) WHERE id = ${id} RETURNING id`),
        );
        await endAccess(run, id);
        await run(sql`UPDATE imports SET runner = NULL WHERE account_id = ${id}`);
        return known;
      }),
    enable: (id: number) => isKnown(write(sql`UPDATE accounts SET disabled_at = NULL WHERE id = ${id} RETURNING id`)),
    /**
     * Removes an account with its sessions, invitations and password, and revokes its API keys. The method `clear`
     * later deletes the remaining data. Returns false and changes nothing if the account does not exist, is the first
     * account, or has a password hash other than `verified`.
     *
     * @param verified password hash that confirms the removal, or null if the operator removes the account
     */
    remove: ({ accountId, verified, now }: { accountId: number; verified: string | null; now: number }) =>
      transaction(async (run) => {
        const confirmed = verified === null ? sql`1 = 1` : sql`password = ${verified}`;
        const known = await isKnown(
          run(sql`UPDATE accounts SET removed_at = ${now}, disabled_at = coalesce(disabled_at, ${now}), name = '',
              name_key = NULL, password = NULL
            WHERE id = ${accountId} AND id <> ${FIRST_ACCOUNT} AND removed_at IS NULL AND ${confirmed} RETURNING id`),
        );
        if (!known) return false;
        await run(sql`UPDATE api_keys SET revoked_at = coalesce(revoked_at, ${now}) WHERE account_id = ${accountId}`);
        await endAccess(run, accountId);
        return true;
      }),
    clear: purgeAccounts(database),
    /**
     * Deletes expired invitations, and the submitted forms and unused accounts of the same age. An account is unused
     * if it has no password, invitations, API keys or links.
     */
    forget: (now: number) =>
      transaction(async (run): Promise<void> => {
        const isOld = isExpired(sql`created_at`, now, INVITATION_LIFETIME_MS);
        await run(sql`DELETE FROM invitations WHERE ${isOld}`);
        await run(sql`DELETE FROM form_submissions WHERE ${isOld}`);
        await run(sql`DELETE FROM accounts WHERE id > ${FIRST_ACCOUNT} AND ${isOld}
            AND removed_at IS NULL AND password IS NULL
            AND NOT EXISTS (SELECT 1 FROM invitations WHERE account_id = accounts.id)
            AND NOT EXISTS (SELECT 1 FROM api_keys WHERE account_id = accounts.id)
            AND NOT EXISTS (SELECT 1 FROM links WHERE account_id = accounts.id)`);
      }),
  };
}

/** Ends the sessions of an account, except one, and deletes its invitations. */
async function endAccess(run: Run, accountId: number, keptSession = 0): Promise<void> {
  await run(sql`DELETE FROM sessions WHERE account_id = ${accountId} AND id <> ${keptSession}`);
  await run(sql`DELETE FROM invitations WHERE account_id = ${accountId}`);
}

/**
 * Returns a function that deletes part of the data of removed accounts: about `max` rows, which keeps the transaction
 * short. The short codes of the deleted links stay reserved. The function returns false if nothing is left to delete.
 */
function purgeAccounts(database: Database) {
  const { transaction, rowLock, lock } = database;
  return (max: number, now: number) =>
    transaction(async (run) => {
      // Clicks on the deleted links must not be counted meanwhile, because their counts would stay stored.
      await lock(run, 'counting');
      // The lock ensures that only one process at a time deletes the account's data.
      const [account] = await run<{ id: number }>(
        sql`SELECT id FROM accounts WHERE id > 0 AND removed_at IS NOT NULL ORDER BY id LIMIT 1 ${rowLock}`,
      );
      if (!account) return false;
      if (await retireLinks(run, account.id, max, now)) return true;
      if (await forgetImport(run, database, { accountId: account.id, kept: 0, max })) return true;
      const hours = {
        table: sql`account_hours`,
        key: sql`account_id, hour`,
        condition: sql`account_id = ${account.id}`,
      };
      if (await deleteSome(run, hours, max)) return true;
      const responses = sql`key_id IN (SELECT id FROM api_keys WHERE account_id = ${account.id})`;
      if (await deleteSome(run, { ...CACHED_RESPONSES, condition: responses }, max)) return true;
      await run(sql`DELETE FROM limit_usage WHERE subject IN (${`links ${account.id}`}, ${`rows ${account.id}`})
        OR subject IN (SELECT 'key ' || id FROM api_keys WHERE account_id = ${account.id})`);
      // Foreign keys delete the rest of the account's data.
      await run(sql`DELETE FROM accounts WHERE id = ${account.id}`);
      return true;
    });
}

/**
 * Deletes the data stored for an account's links, such as URLs, titles, tags and clicks. The short codes stay stored
 * under account 0, which has no owner, so that the codes are never reused.
 */
async function retireLinks(run: Run, account: number, max: number, now: number): Promise<boolean> {
  const rows = await run<{ id: number }>(sql`SELECT id FROM links WHERE account_id = ${account} LIMIT ${max}`);
  if (rows.length === 0) return false;
  const links = join(rows.map(({ id }) => id));
  const days = { table: sql`click_days`, key: sql`link_id, day`, condition: sql`link_id IN (${links})` };
  if (await deleteSome(run, days, max)) return true;
  await run(sql`DELETE FROM click_totals WHERE link_id IN (${links})`);
  await run(sql`UPDATE links SET account_id = 0, key_id = NULL, url = '', title = NULL, tags = '[]',
      forward_query = NULL, imported_clicks = 0, expires_at = NULL, deleted_at = coalesce(deleted_at, ${now}),
      undo_until = NULL
    WHERE id IN (${links})`);
  return true;
}

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
    /** Deletes the expired sessions. */
    async forget(now: number): Promise<void> {
      const isUnused = isExpired(sql`last_used_at`, now, SESSION_LIFETIME_MS.idle);
      const isOld = isExpired(sql`created_at`, now, SESSION_LIFETIME_MS.absolute);
      await write(sql`DELETE FROM sessions WHERE ${isUnused} OR ${isOld}`);
    },
  };
}
