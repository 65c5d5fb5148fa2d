/** An account owns API keys and links. It belongs to one person or a group. */
export interface Account {
  id: number;
  name: string;
  createdAt: number;
  /** True if a person has accepted the invitation to the account and can sign in. */
  hasHolder: boolean;
  /** Time when the operator disabled the account. Null if the account is active. */
  disabledAt: number | null;
}

/** Data that is needed to verify a password. */
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
  /** Hash of the token in the invitation link. */
  hash: Uint8Array;
  name: string;
  /** Name in the form that is used to compare names. It must be unique. */
  nameKey: string;
  password: string;
  now: number;
}

export interface PasswordChange {
  accountId: number;
  /** Stored password hash that the current password was verified against. */
  verified: string;
  password: string;
  keptSession: number;
  now: number;
}

export interface Removal {
  accountId: number;
  /** Stored password hash that the user's password was verified against. Null if the operator removes the account. */
  verified: string | null;
  now: number;
}

export interface AccountStore {
  create(name: string, now: number): Promise<Account>;
  get(id: number): Promise<Account | null>;
  list(): Promise<Account[]>;
  /**
   * Returns the data to verify a password for this account name. Returns null if the name is unknown or the account
   * is disabled.
   */
  credentials(nameKey: string): Promise<Credentials | null>;
  credentialsOf(accountId: number): Promise<Credentials | null>;
  /**
   * Sets a new password. The same transaction ends all other sessions of the account and deletes its invitations.
   * Returns false without any change if the password was changed since it was verified.
   */
  changePassword(change: PasswordChange): Promise<boolean>;
  invite(invitation: NewInvitation): Promise<void>;
  /** Returns the account that an invitation belongs to. Returns null if the invitation is unknown, used or expired. */
  invited(hash: Uint8Array, now: number): Promise<Account | null>;
  /**
   * Accepts an invitation: sets the name and the password of the account. The same transaction ends its sessions and
   * deletes its invitations. Returns `unknown` if the invitation is not valid, and `name_taken` if another account
   * has the name. In both cases nothing changes.
   */
  accept(acceptance: Acceptance): Promise<{ accountId: number } | 'unknown' | 'name_taken'>;
  /**
   * Disables an account. The same transaction ends its sessions and deletes its invitations. If the account is
   * already disabled, the earlier time is kept. Returns false if the account does not exist.
   */
  disable(id: number, now: number): Promise<boolean>;
  /** Enables a disabled account. Returns false if the account does not exist. */
  enable(id: number): Promise<boolean>;
  /**
   * Removes an account with its sessions, invitations and credentials, in one transaction. The account's API keys
   * stop working. `clear` deletes the other data later. Returns false without any change if the account does not
   * exist, is the first account, or got a new password since the password was verified.
   */
  remove(removal: Removal): Promise<boolean>;
  /**
   * Deletes a part of the data of removed accounts, in one transaction. The short codes of their links stay reserved.
   * Returns true if there may be more to delete.
   *
   * @param max maximum number of rows deleted from each table
   */
  clear(max: number, now: number): Promise<boolean>;
  /**
   * Deletes expired invitations, and unused accounts created up to `madeBy`. An account is unused if it has no
   * credentials, invitations, API keys, links or imports. Returns the number of deleted accounts.
   */
  forget(now: number, madeBy: number): Promise<number>;
}

export interface Session {
  id: number;
  accountId: number;
  accountName: string;
  createdAt: number;
  lastUsedAt: number;
  /** Short description of the browser and system, such as "Firefox on Linux". */
  device: string;
}

export interface NewSession {
  accountId: number;
  hash: Uint8Array;
  /** Stored password hash that the password was verified against. */
  password: string;
  device: string;
  now: number;
}

export interface SessionStore {
  /**
   * Creates a session, in one transaction. Returns null if the account is disabled, or if its password was changed
   * since it was verified. A sign-in that runs at the same time as a password change therefore cannot keep a session.
   */
  create(session: NewSession): Promise<Session | null>;
  /** Returns the session whose token has this hash. The session may have expired. */
  find(hash: Uint8Array): Promise<Session | null>;
  list(accountId: number): Promise<Session[]>;
  touch(id: number, now: number): Promise<void>;
  /** Ends a session. Returns false if the account has no such session. */
  end(accountId: number, id: number): Promise<boolean>;
  /**
   * Deletes up to `max` sessions that were last used before `unusedSince` or created before `begunBefore`. Returns
   * the number of deleted sessions.
   */
  forget(unusedSince: number, begunBefore: number, max: number): Promise<number>;
}
