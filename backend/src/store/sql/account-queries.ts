import type { Sql } from 'sql-template-tag';
import sql from 'sql-template-tag';
import type { createInvitation } from '../../domain/accounts/names-invitations-sessions.ts';
import type { Database, Run } from './database.ts';
import { createOnce } from './form-submissions.ts';
import { purgeAccounts } from './purge-account.ts';

/**
 * Account of the service's owner. Every database contains this account. API keys created on the command line belong
 * to it.
 */
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

export type AccountStore = ReturnType<typeof accountStore>;

type AccountRow = Omit<Account, 'hasHolder'> & { holder: number | null };

/** Thrown to roll back a transaction if another account has the same name. */
class NameTaken extends Error {}

export function accountStore(database: Database) {
  const { read, write, transaction, rowLock } = database;
  const isKnown = async (update: Promise<unknown[]>) => (await update).length === 1;

  async function accountsWhere(condition: Sql): Promise<Account[]> {
    const rows = await read<AccountRow>(sql`SELECT a.id, a.name, a.created_at AS "createdAt", c.account_id AS holder,
      a.disabled_at AS "disabledAt"
      FROM accounts a LEFT JOIN credentials c ON c.account_id = a.id ${condition} ORDER BY a.id`);
    return rows.map(({ holder, ...account }) => ({ ...account, hasHolder: holder !== null }));
  }

  async function credentialsWhere(condition: Sql): Promise<Credentials | null> {
    const [found] = await read<Credentials>(sql`SELECT account_id AS "accountId", password
      FROM credentials JOIN accounts ON accounts.id = account_id WHERE ${condition}`);
    return found ?? null;
  }

  async function get(id: number): Promise<Account | null> {
    return (await accountsWhere(sql`WHERE a.id = ${id} AND a.removed_at IS NULL`))[0] ?? null;
  }

  async function create(run: Run, name: string, now: number): Promise<Account> {
    const [row] = await run<{ id: number }>(
      sql`INSERT INTO accounts (name, created_at) VALUES (${name}, ${now}) RETURNING id`,
    );
    return { id: row?.id as number, name, createdAt: now, hasHolder: false, disabledAt: null };
  }

  async function accept(run: Run, { hash, name, nameKey, password, now }: Acceptance): Promise<number | null> {
    // If the invitation is accepted twice at the same time, the second transaction waits until the first has deleted
    // the invitation.
    const [invitation] = await run<{ accountId: number }>(sql`SELECT account_id AS "accountId" FROM invitations
      WHERE token_hash = ${hash} AND expires_at > ${now} ${rowLock}`);
    if (!invitation) return null;
    const { accountId } = invitation;
    // Locks the credentials before the account to prevent deadlocks. The transaction that creates a session uses the
    // same order.
    await run(sql`DELETE FROM credentials WHERE account_id = ${accountId}`);
    const named = await run(sql`INSERT INTO credentials (account_id, name_key, password, changed_at)
      VALUES (${accountId}, ${nameKey}, ${password}, ${now}) ON CONFLICT (name_key) DO NOTHING RETURNING account_id`);
    if (named.length === 0) throw new NameTaken();
    await run(sql`UPDATE accounts SET name = ${name} WHERE id = ${accountId}`);
    await endAccess(run, accountId);
    return accountId;
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
    list: () => accountsWhere(sql`WHERE a.removed_at IS NULL`),
    /** Returns the password hash for an account name, or null if the name is unknown or the account is disabled. */
    credentials: (nameKey: string) => credentialsWhere(sql`name_key = ${nameKey} AND disabled_at IS NULL`),
    credentialsOf: (accountId: number) => credentialsWhere(sql`account_id = ${accountId}`),
    /**
     * Sets a new password, ends all sessions of the account except `keptSession`, and deletes its invitations. If the
     * stored password hash differs from `verified`, which the user has entered, returns false and changes nothing.
     */
    changePassword: ({
      accountId,
      verified,
      password,
      keptSession,
      now,
    }: Credentials & { verified: string; keptSession: number; now: number }) =>
      transaction(async (run) => {
        const changed = await run(sql`UPDATE credentials SET password = ${password}, changed_at = ${now}
          WHERE account_id = ${accountId} AND password = ${verified} RETURNING account_id`);
        if (changed.length === 0) return false;
        await endAccess(run, accountId, keptSession);
        return true;
      }),
    async invite({ accountId, hash, createdAt, expiresAt }: Invitation): Promise<void> {
      await write(sql`INSERT INTO invitations (token_hash, account_id, created_at, expires_at)
        VALUES (${hash}, ${accountId}, ${createdAt}, ${expiresAt})`);
    },
    /** Returns the account of an invitation, or null if the invitation is unknown, used or expired. */
    async invited(hash: Uint8Array, now: number): Promise<Account | null> {
      const invitation = sql`JOIN invitations i ON i.account_id = a.id`;
      return (
        (await accountsWhere(sql`${invitation} WHERE i.token_hash = ${hash} AND i.expires_at > ${now}`))[0] ?? null
      );
    },
    /**
     * Accepts an invitation: sets the name and password of the account, ends its sessions and deletes its invitations.
     * Returns `unknown` if the invitation is not valid, and `name_taken` if another account has the name. In both
     * cases, nothing is changed.
     */
    async accept(acceptance: Acceptance): Promise<{ accountId: number } | 'unknown' | 'name_taken'> {
      try {
        const accountId = await transaction((run) => accept(run, acceptance));
        return accountId === null ? 'unknown' : { accountId };
      } catch (error) {
        if (error instanceof NameTaken) return 'name_taken';
        throw error;
      }
    },
    /**
     * Disables an account, ends its sessions and deletes its invitations. If the account is already disabled, its
     * `disabledAt` stays unchanged. Returns false if the account does not exist.
     */
    disable: (id: number, now: number) =>
      transaction(async (run) => {
        // The account is disabled before its sessions are deleted, so that no new session can be created in between.
        const known = await isKnown(
          run(sql`UPDATE accounts SET disabled_at = coalesce(disabled_at, ${now}) WHERE id = ${id} RETURNING id`),
        );
        await endAccess(run, id);
        return known;
      }),
    enable: (id: number) => isKnown(write(sql`UPDATE accounts SET disabled_at = NULL WHERE id = ${id} RETURNING id`)),
    /**
     * Removes an account with its sessions, invitations and credentials, and revokes its API keys. The method `clear`
     * later deletes the remaining data. Returns false and changes nothing if the account does not exist, is the first
     * account, or has a password hash other than `verified`.
     *
     * @param verified password hash that confirms the removal, or null if the operator removes the account
     */
    remove: ({ accountId, verified, now }: { accountId: number; verified: string | null; now: number }) =>
      transaction(async (run) => {
        if (accountId === FIRST_ACCOUNT) return false;
        const [credentials] = await run<{ password: string }>(
          sql`SELECT password FROM credentials WHERE account_id = ${accountId} ${rowLock}`,
        );
        if (verified !== null && credentials?.password !== verified) return false;
        await run(sql`DELETE FROM credentials WHERE account_id = ${accountId}`);
        await run(sql`UPDATE api_keys SET revoked_at = coalesce(revoked_at, ${now}) WHERE account_id = ${accountId}`);
        const known = await isKnown(
          run(sql`UPDATE accounts SET removed_at = ${now}, disabled_at = coalesce(disabled_at, ${now}), name = ''
            WHERE id = ${accountId} AND removed_at IS NULL RETURNING id`),
        );
        await endAccess(run, accountId);
        return known;
      }),
    clear: purgeAccounts(database),
    /**
     * Deletes expired invitations, and unused accounts created before `createdBefore`. An account is unused if it has
     * no credentials, invitations, API keys or links.
     */
    forget: (now: number, createdBefore: number) =>
      transaction(async (run): Promise<void> => {
        await run(sql`DELETE FROM invitations WHERE expires_at <= ${now}`);
        await run(sql`DELETE FROM form_submissions WHERE created_at <= ${createdBefore}`);
        await run(sql`DELETE FROM accounts
          WHERE id > ${FIRST_ACCOUNT} AND created_at <= ${createdBefore} AND removed_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM credentials WHERE account_id = accounts.id)
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
