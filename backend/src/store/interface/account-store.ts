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

export interface NewInvitation {
  accountId: number;
  hash: Uint8Array;
  createdAt: number;
  expiresAt: number;
}

export interface Acceptance {
  hash: Uint8Array;
  name: string;
  nameKey: string;
  password: string;
  now: number;
}

export interface PasswordChange {
  accountId: number;
  /**
   * Password hash that was stored when the user entered the current password. If the stored hash has changed since
   * then, the new password is not set.
   */
  verified: string;
  password: string;
  keptSession: number;
  now: number;
}

export interface Removal {
  accountId: number;
  /**
   * Password hash that was compared with the password entered to confirm the removal. Null if the operator removes
   * the account.
   */
  verified: string | null;
  now: number;
}

export interface AccountStore {
  create(name: string, now: number): Promise<Account>;
  /**
   * Creates an account for a form of the owner. If the form was already submitted, returns the account of the first
   * time, or null if that account was removed.
   */
  createFromForm(name: string, submission: Uint8Array | null, now: number): Promise<Account | null>;
  get(id: number): Promise<Account | null>;
  list(): Promise<Account[]>;
  /**
   * Returns the stored password hash for an account name. Returns null if the name is unknown or the account is
   * disabled.
   */
  credentials(nameKey: string): Promise<Credentials | null>;
  credentialsOf(accountId: number): Promise<Credentials | null>;
  /**
   * Sets a new password, ends all sessions of the account except `keptSession`, and deletes its invitations, in one
   * transaction. If the stored password hash differs from `verified`, returns false and changes nothing.
   */
  changePassword(change: PasswordChange): Promise<boolean>;
  invite(invitation: NewInvitation): Promise<void>;
  /**
   * Returns the account to which an invitation belongs. Returns null if the invitation is unknown, used or expired.
   */
  invited(hash: Uint8Array, now: number): Promise<Account | null>;
  /**
   * Accepts an invitation: sets the name and password of the account, ends its sessions and deletes its invitations,
   * in one transaction. Returns `unknown` if the invitation is not valid, and `name_taken` if another account has the
   * name. In both cases, nothing is changed.
   */
  accept(acceptance: Acceptance): Promise<{ accountId: number } | 'unknown' | 'name_taken'>;
  /**
   * Disables an account, ends its sessions and deletes its invitations, in one transaction. If the account is already
   * disabled, its `disabledAt` stays unchanged. Returns false if the account does not exist.
   */
  disable(id: number, now: number): Promise<boolean>;
  enable(id: number): Promise<boolean>;
  /**
   * Removes an account with its sessions, invitations and credentials, in one transaction. The account's API keys
   * stop working. The method `clear` must be called later to delete the remaining data. Returns false if the account
   * does not exist, is the first account, or has a password hash other than `verified`. In these cases, nothing is
   * changed.
   */
  remove(removal: Removal): Promise<boolean>;
  /**
   * Deletes part of the data of removed accounts, in one transaction. The short codes of the deleted links stay
   * reserved. Returns false if nothing is left to delete.
   *
   * @param max maximum number of rows to delete from each table
   */
  clear(max: number, now: number): Promise<boolean>;
  /**
   * Deletes expired invitations, and unused accounts created before `createdBefore`. An account is unused if it has no
   * credentials, invitations, API keys, links or imports. Returns the number of deleted accounts.
   */
  forget(now: number, createdBefore: number): Promise<number>;
}

export interface Session {
  id: number;
  accountId: number;
  accountName: string;
  createdAt: number;
  lastUsedAt: number;
  device: string;
}

export interface NewSession {
  accountId: number;
  hash: Uint8Array;
  /**
   * Password hash that the entered password matched. If the account's stored hash has changed since then, no session
   * is created.
   */
  password: string;
  device: string;
  now: number;
}

export interface SessionStore {
  /**
   * Creates a session. Returns null if the account is disabled or if the password was changed after the user entered
   * it. A sign-in with the old password therefore fails even during a password change.
   */
  create(session: NewSession): Promise<Session | null>;
  find(hash: Uint8Array): Promise<Session | null>;
  list(accountId: number): Promise<Session[]>;
  touch(id: number, now: number): Promise<void>;
  end(accountId: number, id: number): Promise<boolean>;
  /**
   * Deletes up to `max` sessions that were last used before `unusedSince` or created before `createdBefore`. Returns
   * the number of deleted sessions.
   */
  forget(unusedSince: number, createdBefore: number, max: number): Promise<number>;
}
