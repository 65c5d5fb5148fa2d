/** The owner of keys and links: one person or a group. */
export interface Account {
  id: number;
  name: string;
  createdAt: number;
  /** True if someone accepted an invitation to the account and can sign in. */
  hasHolder: boolean;
  /** Time when the operator disabled the account; null if it is active. */
  disabledAt: number | null;
}

/** Data that a sign-in is checked against. */
export interface Credentials {
  accountId: number;
  /** Hash of the password, with its parameters. */
  password: string;
}

export interface NewInvitation {
  accountId: number;
  hash: Uint8Array;
  createdAt: number;
  expiresAt: number;
}

/** Data stored when an invitation is accepted. */
export interface Acceptance {
  /** Hash of the invitation's token. */
  hash: Uint8Array;
  name: string;
  /** Normalized name, which must be unique. */
  nameKey: string;
  password: string;
  now: number;
}

export interface PasswordChange {
  accountId: number;
  /** Hash that the user's current password was verified against. */
  verified: string;
  /** Hash of the new password. */
  password: string;
  keptSession: number;
  now: number;
}

export interface Removal {
  accountId: number;
  /** Hash that the user's password was verified against; null if the operator removes the account. */
  verified: string | null;
  now: number;
}

export interface AccountStore {
  create(name: string, now: number): Promise<Account>;
  get(id: number): Promise<Account | null>;
  /** Returns all accounts, oldest first. */
  list(): Promise<Account[]>;
  /** Returns the credentials for a name. Returns null if the name is unknown or its account is disabled. */
  credentials(nameKey: string): Promise<Credentials | null>;
  credentialsOf(accountId: number): Promise<Credentials | null>;
  /**
   * Sets a new password, ends all other sessions of the account and deletes its invitations, in one transaction.
   * Returns false and changes nothing if the stored password is no longer the verified one.
   */
  changePassword(change: PasswordChange): Promise<boolean>;
  invite(invitation: NewInvitation): Promise<void>;
  /** Returns the account that a token invites to. Returns null if the token is unknown, used or expired. */
  invited(hash: Uint8Array, now: number): Promise<Account | null>;
  /**
   * Names the account, sets its password, ends its sessions and deletes its invitations, in one transaction. Returns
   * `unknown` if the invitation is not valid, and `name_taken` if another account has the name. Both change nothing.
   */
  accept(acceptance: Acceptance): Promise<{ accountId: number } | 'unknown' | 'name_taken'>;
  /**
   * Disables an account, ends its sessions and deletes its invitations, in one transaction. An account that is
   * already disabled keeps its earlier time. Returns false if there is no such account.
   */
  disable(id: number, now: number): Promise<boolean>;
  /** Enables a disabled account. Returns false if there is no such account. */
  enable(id: number): Promise<boolean>;
  /**
   * Removes an account with its sessions, invitations and credentials, in one transaction. Its keys stop working, and
   * `clear` deletes its other data later. Changes nothing and returns false if the
   * account does not exist or is the first one, or if the stored password is no longer the verified one.
   */
  remove(removal: Removal): Promise<boolean>;
  /**
   * Deletes some data of removed accounts, in one transaction. Their links stay as retired codes without any data.
   * Returns true if there may be more to delete.
   *
   * @param max maximum number of rows of one kind
   */
  clear(max: number, now: number): Promise<boolean>;
  /**
   * Deletes expired invitations, and unused accounts created before `createdBefore`. An account is unused if it has no
   * credentials, no invitation and no data. Returns the number of deleted accounts.
   */
  forget(now: number, createdBefore: number): Promise<number>;
}

/** A browser that is signed in. */
export interface Session {
  id: number;
  accountId: number;
  accountName: string;
  createdAt: number;
  lastUsedAt: number;
  /** Short description of the browser, such as "Firefox on Linux". */
  device: string;
}

export interface NewSession {
  accountId: number;
  /** Hash of the session's token. */
  hash: Uint8Array;
  /** Hash that the password was verified against. */
  password: string;
  device: string;
  now: number;
}

export interface SessionStore {
  /**
   * Creates a session, in one transaction. Returns null if the account is disabled or the stored password is no
   * longer the verified one. So no session with an old password can start after `changePassword` or `accept`, and
   * none at all after `disable`.
   */
  create(session: NewSession): Promise<Session | null>;
  /** Returns the session with this hash, even if it has expired. */
  find(hash: Uint8Array): Promise<Session | null>;
  /** Returns the sessions of an account, the most recently used first. */
  list(accountId: number): Promise<Session[]>;
  /** Records that a session was used. */
  touch(id: number, now: number): Promise<void>;
  /** Ends a session. Returns false if the account has no such session. */
  end(accountId: number, id: number): Promise<boolean>;
  /**
   * Deletes up to `max` sessions that were last used before `unusedSince` or created before `createdBefore`. Returns
   * the number of deleted sessions.
   */
  forget(unusedSince: number, createdBefore: number, max: number): Promise<number>;
}
