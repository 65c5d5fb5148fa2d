import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { KEY_SCOPES, type KeyScope } from '@terse/contract';
import { type Random, randomText } from '../clock-and-random.ts';
import { nameProblem } from './account-rules.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'terse_';
const SECRET_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${PREFIX}([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`);

/** Permissions of a key. They never change. */
export interface KeyAccess {
  scopes: readonly KeyScope[];
  /** True if the key only sees links that it created itself. */
  ownLinksOnly: boolean;
}

/** Access of a key without restrictions. */
export const FULL_ACCESS: KeyAccess = { scopes: KEY_SCOPES, ownLinksOnly: false };

/** Returns why a key with this access is not allowed, or null if it is. */
export function accessProblem({ scopes, ownLinksOnly }: KeyAccess): string | null {
  if (scopes.length === 0) return 'Choose at least one permission.';
  return ownLinksOnly && !scopes.includes('create')
    ? 'A key that cannot create links has no links of its own. Let it create links, or give it access to all links.'
    : null;
}

/** Maximum length of a key's name, in characters. */
export const KEY_NAME_LIMIT = 100;

/** Returns why a text cannot be a key's name, or null if it can. */
export function keyNameProblem(name: string): string | null {
  return nameProblem(name, KEY_NAME_LIMIT);
}

/** Generates an API key: `terse_`, 30 random symbols (178 bits), and a checksum of 6 symbols. */
export function generateKey(random: Random): string {
  const secret = randomText(random, BASE62, SECRET_LENGTH);
  return PREFIX + secret + checksum(secret);
}

/** True if a text has the form of a key. Detects mistyped and truncated keys without a database query. */
export function isWellFormedKey(text: string): boolean {
  const [, secret, sum] = FORM.exec(text) ?? [];
  return secret !== undefined && checksum(secret) === sum;
}

/** Returns the stored hash of a key. A plain SHA-256 is sufficient, because a key has 178 random bits. */
export function hashKey(key: string): Uint8Array {
  return hash('sha256', key, 'buffer');
}

/** Returns the part of a key that is shown to its owner later. */
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
