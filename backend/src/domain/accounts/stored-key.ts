import type { KeyAccess } from './api-keys.ts';

/** An API key as it is stored. The key itself is not stored. */
export interface ApiKey extends KeyAccess {
  id: number;
  accountId: number;
  name: string;
  lastFour: string;
  createdAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
  /** Time when the key's account was disabled; null if it is active. */
  disabledAt: number | null;
  /** Limits of this key; null if the defaults of the server apply. */
  throttle: number | null;
  quota: number | null;
}
