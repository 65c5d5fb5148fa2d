import type { Queue, Send } from '../types.ts';
import { SAFE_DAY_MS } from './daily-quota.ts';

/** The sends of a key that no connection has any more. */
export interface RemovedKeySends {
  sends: Send[];
  /** When it lost its connection. */
  at: number;
}

/** Each under the `fingerprint` of its key. */
export type PastSends = Map<string, RemovedKeySends>;

interface Logins {
  queues: Queue[];
  apiKeys: Map<string, string>;
}

/**
 * A service counts the sends of a key, whatever address it is reached at and whichever connection has the key. The sends of
 * a key that is replaced or forgotten are put aside. They count again for any connection that gets the key, and expire
 * once no day can hold them.
 */
export function restoreSends<T extends Logins>(before: Logins, after: T, past: PastSends, now: number) {
  const [earlier, later] = [byFingerprint(before), byFingerprint(after)];
  const kept = new Map([...past].filter(([id, put]) => !later.has(id) && !isExpired(put, now)));
  for (const [id, { budget }] of earlier) {
    if (!later.has(id) && budget.sends.length > 0) kept.set(id, { sends: budget.sends, at: now });
  }
  const logins = new Map(before.queues.map((queue) => [queue.connection.id, loginOf(queue, before)]));
  const queues = after.queues.map((queue) => {
    // The budget of an unchanged connection has its sends already.
    if (logins.get(queue.connection.id) === loginOf(queue, after)) return queue;
    const id = fingerprintOf(queue, after);
    const sends = earlier.get(id)?.budget.sends ?? past.get(id)?.sends ?? [];
    return { ...queue, budget: { ...queue.budget, sends: [...sends, ...queue.budget.sends] } };
  });
  return { after: { ...after, queues }, past: kept };
}

/** Twice as long as a day may be read, so that a clock that is set forward by a day or two gives nothing back. */
export function isExpired({ at }: RemovedKeySends, now: number): boolean {
  return at + 2 * SAFE_DAY_MS < now;
}

/**
 * A number for a key, so short that thousands of other keys share it. So it does not reveal the key, nor prove a guess
 * right. Two keys that happen to share one share a day's sends, which is the safe side.
 */
export function fingerprint(apiKey: string): string {
  const long = hash(apiKey);
  return String((long ^ (long >>> 16)) & 0xffff);
}

/** FNV-1a, in 32 bits. */
export function hash(text: string): number {
  let number = 0x811c9dc5;
  for (const char of text) number = Math.imul(number ^ char.charCodeAt(0), 0x01000193);
  return number;
}

function byFingerprint(logins: Logins): Map<string, Queue> {
  return new Map(logins.queues.map((queue) => [fingerprintOf(queue, logins), queue]));
}

function fingerprintOf({ connection }: Queue, { apiKeys }: Logins): string {
  return fingerprint(apiKeys.get(connection.id) ?? '');
}

function loginOf({ connection }: Queue, { apiKeys }: Logins): string {
  return `${connection.baseUrl} ${apiKeys.get(connection.id)}`;
}
