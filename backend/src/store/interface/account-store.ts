/** A person, or a group of people, who owns keys and links. */
export interface Account {
  id: number;
  name: string;
  createdAt: number;
  /** Whether somebody has taken it over and can sign in. */
  hasHolder: boolean;
  /** When the operator shut it out; null where that is not so. */
  disabledAt: number | null;
}

/** What signing in is checked against. */
export interface Credentials {
  accountId: number;
  /** The password's hash, with its parameters. */
  password: string;
}

export interface NewInvitation {
  accountId: number;
  hash: Uint8Array;
  createdAt: number;
  expiresAt: number;
}

/** What taking up an invitation brings. */
export interface Acceptance {
  /** Of the invitation's token. */
  hash: Uint8Array;
  name: string;
  /** What makes the name unique. */
  nameKey: string;
  password: string;
  now: number;
}

export interface PasswordChange {
  accountId: number;
  /** The hash that the person's password was verified against. */
  verified: string;
  /** The new password's hash. */
  password: string;
  keptSession: number;
  now: number;
}

export interface Removal {
  accountId: number;
  /** The hash that the holder's password was verified against; null where the operator removes the account. */
  verified: string | null;
  now: number;
}

export interface AccountStore {
  create(name: string, now: number): Promise<Account>;
  get(id: number): Promise<Account | null>;
  /** Every account, oldest first. */
  list(): Promise<Account[]>;
  /** What lets a name in; null where there is no such name, or its account is disabled. */
  credentials(nameKey: string): Promise<Credentials | null>;
  credentialsOf(accountId: number): Promise<Credentials | null>;
  /**
   * In ONE transaction: sets a new password, ends every session of the account but one, and all its invitations. False,
   * and nothing changed, where the password is no longer the one that was verified.
   */
  changePassword(change: PasswordChange): Promise<boolean>;
  invite(invitation: NewInvitation): Promise<void>;
  /** The account a token invites to; null where it is unknown, used or too old. */
  invited(hash: Uint8Array, now: number): Promise<Account | null>;
  /**
   * In ONE transaction: names the account, sets its password, ends its sessions and all its invitations.
   * `unknown`: the invitation is not (or no longer) good. `name_taken`: another account bears the name; nothing changed.
   */
  accept(acceptance: Acceptance): Promise<{ accountId: number } | 'unknown' | 'name_taken'>;
  /**
   * In ONE transaction: shuts an account out, and ends its sessions and invitations. False where there is no such
   * account; one disabled before stays disabled since then.
   */
  disable(id: number, now: number): Promise<boolean>;
  /** Lets a disabled account in again. False where there is no such account. */
  enable(id: number): Promise<boolean>;
  /**
   * In ONE transaction: ends an account for ever, with its sessions, invitations and credentials; its keys open nothing any
   * more. What it owned is left to `clear`. False, and nothing changed, where there is no such account, it is the first
   * one, or its password is no longer the one that was verified.
   */
  remove(removal: Removal): Promise<boolean>;
  /**
   * Clears away, in ONE transaction, a portion of what removed accounts owned: their links' codes are retired, all else is
   * gone. Returns whether there may be more.
   *
   * @param most how many rows, of one kind
   */
  clear(most: number, now: number): Promise<boolean>;
  /**
   * Removes the invitations that are too old at `now`, and the accounts made by `madeBy` that nobody holds, has an
   * invitation to, or owns anything in. Returns how many accounts.
   */
  forget(now: number, madeBy: number): Promise<number>;
}

/** One signed-in browser. */
export interface Session {
  id: number;
  accountId: number;
  accountName: string;
  createdAt: number;
  lastUsedAt: number;
  /** A coarse name such as "Firefox on Linux". */
  device: string;
}

export interface NewSession {
  accountId: number;
  /** Of the session's token. */
  hash: Uint8Array;
  /** The password's hash as it was when it was verified. */
  password: string;
  device: string;
  now: number;
}

export interface SessionStore {
  /**
   * In ONE transaction: begins a session, if the account is not disabled and its password is still the one that was
   * verified; otherwise null. So no session of an old password is there after `changePassword` or `accept`, and none at
   * all after `disable`.
   */
  create(session: NewSession): Promise<Session | null>;
  /** The session with this hash, however old. */
  find(hash: Uint8Array): Promise<Session | null>;
  /** An account's sessions, the last used first. */
  list(accountId: number): Promise<Session[]>;
  /** Notes that a session was used. */
  touch(id: number, now: number): Promise<void>;
  /** False where the account has no such session. */
  end(accountId: number, id: number): Promise<boolean>;
  /** Removes at most so many sessions not used since one instant, or begun before another; returns how many. */
  forget(unusedSince: number, begunBefore: number, most: number): Promise<number>;
}
