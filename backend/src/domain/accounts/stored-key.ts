import type { KeyAccess } from './api-keys.ts';

/** An API key in the form in which the database stores it, with a hash instead of the key itself. */
export interface ApiKey extends KeyAccess {
  id: number;
  accountId: number;
  name: string;
  lastFour: string;
  createdAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
  /** Time at which the account was disabled. Null if the account is active. */
  disabledAt: number | null;
  throttle: number | null;
  quota: number | null;
}
