import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { KEY_SCOPES, type KeyScope } from '@terse/contract';
import { type Random, randomText } from '../clock-and-random.ts';
import { nameProblem } from './names-invitations-sessions.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'terse_';
const SECRET_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${PREFIX}([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`);

/** Permissions of an API key. They cannot be changed after the key is created. */
export interface KeyAccess {
  scopes: readonly KeyScope[];
  /** True if the API key can access only links that were created with this key. */
  ownLinksOnly: boolean;
}

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

export const FULL_ACCESS: KeyAccess = { scopes: KEY_SCOPES, ownLinksOnly: false };

export function accessProblem({ scopes, ownLinksOnly }: KeyAccess): string | null {
  if (scopes.length === 0) return 'Choose at least one permission.';
  return ownLinksOnly && !scopes.includes('create')
    ? 'A key that cannot create links has no links of its own. Let it create links, or give it access to all links.'
    : null;
}

export const KEY_NAME_LIMIT = 100;

export function keyNameProblem(name: string): string | null {
  return nameProblem(name, KEY_NAME_LIMIT);
}

/** Generates an API key: `terse_`, followed by 30 random symbols (178 bits) and a checksum of 6 symbols. */
export function generateKey(random: Random): string {
  const secret = randomText(random, BASE62, SECRET_LENGTH);
  return PREFIX + secret + checksum(secret);
}

/** True if the text has the format and checksum of an API key. This detects mistyped keys without a database query. */
export function isWellFormedKey(text: string): boolean {
  const [, secret, sum] = FORM.exec(text) ?? [];
  return secret !== undefined && checksum(secret) === sum;
}

/** Hashes an API key for storage. A plain SHA-256 hash is sufficient because the key has 178 random bits. */
export function hashKey(key: string): Uint8Array {
  return hash('sha256', key, 'buffer');
}

export function lastFour(key: string): string {
  return key.slice(-4);
}

function checksum(secret: string): string {
  let rest = crc32(secret);
  let text = '';
  for (let length = 0; length < CHECKSUM_LENGTH; length += 1) {
    text = BASE62[rest % BASE62.length] + text;
    rest = Math.floor(rest / BASE62.length);
  }
  return text;
}
