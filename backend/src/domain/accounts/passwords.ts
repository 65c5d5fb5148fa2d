import { argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Random } from '../clock-and-random.ts';

/** Too much work is waiting already. */
export class TooManyWaiting extends Error {
  override name = 'GateFull';
}

/** Runs work with limited concurrency. */
export type ConcurrencyLimit = <Value>(work: () => Promise<Value>) => Promise<Value>;

/**
 * @param atOnce maximum number of works in progress; others wait in order of arrival
 * @param waiting maximum number of waiting works; more are refused with TooManyWaiting
 */
export function createConcurrencyLimit(atOnce: number, waiting: number): ConcurrencyLimit {
  const queue: (() => void)[] = [];
  let underWay = 0;

  function next(): void {
    const start = queue.shift();
    if (start) start();
    else underWay -= 1;
  }

  return async (work) => {
    if (underWay < atOnce) underWay += 1;
    else if (queue.length < waiting) await new Promise<void>((start) => queue.push(start));
    else throw new TooManyWaiting('Too many operations are already waiting. Try again later.');
    try {
      return await work();
    } finally {
      next();
    }
  };
}

/** In characters. Passwords must be long, but no digits or symbols are required (NIST SP 800-63B, section 3.1.1.2). */
export const PASSWORD_LENGTH = { least: 12, most: 200 } as const;

interface Cost {
  /** In KiB. */
  memory: number;
  passes: number;
  parallelism: number;
}

/** Cost of a new hash: the first OWASP recommendation for argon2id, about 25 ms of CPU time and 19 MiB. */
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_LENGTH = 32;
const SALT_LENGTH = 16;

const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Returns why a text cannot be a password, or null if it can. */
export function passwordProblem(password: string, name: string): string | null {
  const { least, most } = PASSWORD_LENGTH;
  if (password.length < least) return `A password needs at least ${least} characters.`;
  if (password.length > most) return `A password can have at most ${most} characters.`;
  if (new Set(password).size < 4) return 'This password is too easy to guess.';
  if (name !== '' && password.toLowerCase().includes(name.toLowerCase()) && password.length - name.length < 8) {
    return 'A password must not consist of little more than the name.';
  }
  return null;
}

/**
 * Hashes a password with argon2id (RFC 9106). The result contains its parameters and salt in the PHC string format.
 *
 * @throws TooManyWaiting if too many passwords wait to be hashed
 */
export async function hashPassword(password: string, random: Random): Promise<string> {
  const salt = random(SALT_LENGTH);
  const tag = await derive(password, salt, COST, TAG_LENGTH);
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
}

/**
 * True if the password matches the stored hash. Without a stored hash it takes the same time, so the time does not
 * reveal if a name exists.
 *
 * @throws TooManyWaiting if too many passwords wait to be hashed
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

/**
 * Shared by all names and clients. Node has four threads for hashing, files and DNS, so half of them stay free, and
 * no caller waits longer than about two seconds.
 */
const gate = createConcurrencyLimit(2, 32);

/**
 * Maximum number of characters that are hashed. No password is longer, and normalizing a long text could take
 * seconds.
 */
const MAX_HASHED = 1000;

/** Keyboards and systems compose letters differently, so both forms must give the same hash. */
function derive(password: string, nonce: Uint8Array, cost: Cost, tagLength: number): Promise<Buffer> {
  const message = password.slice(0, MAX_HASHED).normalize('NFC');
  return gate(() => run('argon2id', { message, nonce, tagLength, ...cost }));
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}
