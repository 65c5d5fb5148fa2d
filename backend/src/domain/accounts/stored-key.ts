import type { KeyAccess } from './api-keys.ts';

/** An API key as stored in the database, which contains only a hash of the key. */
export interface ApiKey extends KeyAccess {
  id: number;
  accountId: number;
  name: string;
  lastFour: string;
  createdAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
  /** Time when the account was disabled. Null if the account is active. */
  disabledAt: number | null;
  throttle: number | null;
  quota: number | null;
}
