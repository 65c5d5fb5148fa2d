import { hash } from 'node:crypto';

/** Bytes in a day's salt. */
export const SALT_SIZE = 16;

/** Digits of the hash that are kept: 48 bits, so that even a million visitors of a link and day are told apart. */
const DIGITS = 12;

/**
 * Who clicked, as a number that means nothing once the day's salt is forgotten: the address goes in and does not come
 * out. Two devices behind one address are told apart where their browsers are.
 *
 * @param salt as text
 */
export function visitorHash(salt: string, address: string, agent: string): number {
  return Number.parseInt(hash('sha256', `${salt}\n${address}\n${agent}`).slice(0, DIGITS), 16);
}
