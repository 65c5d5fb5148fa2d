import { argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import type { Random } from '../clock-and-random.ts';

/** Thrown if too many passwords are waiting to be hashed. */
export class TooManyWaiting extends Error {
  override name = 'TooManyWaiting';
}

/**
 * Minimum and maximum length of a password, in characters. In line with NIST SP 800-63B (section 3.1.1.2), passwords
 * do not have to contain digits or symbols.
 */
export const PASSWORD_LENGTH = { least: 12, most: 200 } as const;

/**
 * Cost of hashing a password: the first OWASP recommendation for argon2id. Each hash takes about 25 ms of CPU time
 * and 19 MiB of memory. `memory` is in KiB.
 */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_LENGTH = 32;
const SALT_LENGTH = 16;

const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Minimum zxcvbn score of a password. The score 3 is called "safely unguessable" and means at least 10⁸ guesses. */
const MIN_SCORE = 3;

/**
 * Maximum length of the text that the password strength estimator reads. The estimator needs 300 ms for 200
 * characters.
 */
const ESTIMATED_LENGTH = 32;

/** Words that attackers are likely to try first when they guess a password for this service. */
const SERVICE_WORDS = ['terse', 'shortener', 'dashboard', 'administrator', 'admin', 'owner', 'links', 'link'];

/** Returns an error message if the text cannot be used as a password. Returns null if the password is acceptable. */
export async function passwordProblem(password: string, name: string): Promise<string | null> {
  const { least, most } = PASSWORD_LENGTH;
  if (password.length < least) return `A password needs at least ${least} characters.`;
  if (password.length > most) return `A password can have at most ${most} characters.`;
  if (name !== '' && password.toLowerCase().includes(name.toLowerCase()) && password.length - name.length < 8) {
    return 'A password must not consist of little more than the name.';
  }
  const words = [name.toLowerCase(), ...SERVICE_WORDS].filter((word) => word !== '');
  estimator ??= loadEstimator();
  const { score } = (await estimator).check(password.slice(0, ESTIMATED_LENGTH), words);
  return score < MIN_SCORE || consistsOf(words, password) ? 'This password is too easy to guess.' : null;
}

/**
 * True if no letters remain after all given words are removed from the password. False for passwords without letters.
 */
function consistsOf(words: string[], password: string): boolean {
  const lower = password.toLowerCase();
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), lower);
  return /\p{L}/u.test(lower) && !/\p{L}/u.test(rest);
}

/**
 * The zxcvbn dictionaries need 30 MB of memory and take half a second to load, so they are loaded only when the first
 * new password is checked.
 */
let estimator: Promise<ZxcvbnFactory> | undefined;

async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
}

/**
 * Hashes a password with argon2id (RFC 9106). The result is in the PHC string format, which includes the salt and the
 * parameters.
 *
 * @throws TooManyWaiting if too many passwords are waiting to be hashed
 */
export async function hashPassword(password: string, random: Random): Promise<string> {
  const salt = random(SALT_LENGTH);
  const tag = await derive(password, salt, COST, TAG_LENGTH);
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
}

/**
 * True if the password matches the stored hash. If there is no stored hash, the check takes the same time, so that
 * attackers cannot find out which account names exist.
 *
 * @throws TooManyWaiting if too many passwords are waiting to be hashed
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = FORM.exec(stored ?? '') ?? [];
  if (!memory) {
    await derive(password, new Uint8Array(SALT_LENGTH), COST, TAG_LENGTH);
    return false;
  }
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const expected = Buffer.from(tag, 'base64');
  return timingSafeEqual(await derive(password, Buffer.from(salt, 'base64'), cost, expected.length), expected);
}

const run = promisify(argon2);

/** Maximum number of passwords that wait to be hashed, so that the longest wait is about a second. */
const MAX_WAITING = 34;

let waiting = 0;
let latest: Promise<unknown> = Promise.resolve();

/**
 * Maximum number of characters that are hashed. Normalizing a long text could take seconds, and valid passwords are
 * much shorter.
 */
const MAX_HASHED = 1000;

/**
 * Normalizes and hashes a password. Operating systems encode accented letters differently, and normalization makes
 * these encodings equal. Passwords are hashed one after another, because file access and DNS also need some of Node's
 * four threads.
 */
async function derive(password: string, nonce: Uint8Array, cost: typeof COST, tagLength: number): Promise<Buffer> {
  if (waiting >= MAX_WAITING) throw new TooManyWaiting();
  waiting += 1;
  const message = password.slice(0, MAX_HASHED).normalize('NFC');
  const hashed = latest.then(() => run('argon2id', { message, nonce, tagLength, ...cost }));
  latest = hashed
    .catch(() => {})
    .finally(() => {
      waiting -= 1;
    });
  return hashed;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}
