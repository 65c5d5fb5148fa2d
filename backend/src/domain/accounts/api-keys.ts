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

/** What a key may do. It stays so for the key's life. */
export interface KeyAccess {
  scopes: readonly KeyScope[];
  /** Whether the key sees no links but those it made itself. */
  ownLinksOnly: boolean;
}

/** All that a key can be allowed. */
export const FULL_ACCESS: KeyAccess = { scopes: KEY_SCOPES, ownLinksOnly: false };

/** Why no key should be made with this access, in a sentence; null where one may be. */
export function accessProblem({ scopes, ownLinksOnly }: KeyAccess): string | null {
  if (scopes.length === 0) return 'Choose at least one thing that the key may do.';
  return ownLinksOnly && !scopes.includes('create')
    ? 'A key that cannot create links never has any of its own. Let it create links, or let it see all of them.'
    : null;
}

/** The longest name a key can bear, in characters. */
export const KEY_NAME_LIMIT = 100;

/** Why a text cannot be a key's name, in a sentence; null where it can. */
export function keyNameProblem(name: string): string | null {
  return nameProblem(name, KEY_NAME_LIMIT);
}

/** A new API key: `terse_`, 30 random symbols (178 bits), and 6 of checksum. */
export function generateKey(random: Random): string {
  const secret = randomText(random, BASE62, SECRET_LENGTH);
  return PREFIX + secret + checksum(secret);
}

/** Whether a text can be a key at all. A mistyped or cut one is told apart without asking the store. */
export function isWellFormedKey(text: string): boolean {
  const [, secret, sum] = FORM.exec(text) ?? [];
  return secret !== undefined && checksum(secret) === sum;
}

/** What is stored of a key. It holds 178 random bits, so a plain SHA-256 cannot be searched. */
export function hashKey(key: string): Uint8Array {
  return hash('sha256', key, 'buffer');
}

/** The part of a key its owner is shown again. */
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
