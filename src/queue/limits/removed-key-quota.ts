import type { Queue, Send } from '../types.ts';
import { SAFE_DAY_MS } from './daily-quota.ts';

/** Sends of an API key that no connection uses anymore. */
export interface RemovedKeySends {
  sends: Send[];
  /** Time at which its connection was deleted or got another key. */
  at: number;
}

/** Sends of removed keys, by the `fingerprint` of the key. */
export type PastSends = Map<string, RemovedKeySends>;

interface Logins {
  queues: Queue[];
  apiKeys: Map<string, string>;
}

/**
 * Stores the sends of keys that were replaced or deleted, and restores them if a connection gets such a key again. A
 * service counts the sends of a key, whichever address or connection used it. Stored sends expire once no day can
 * contain them.
 */
export function restoreSends<T extends Logins>(before: Logins, after: T, past: PastSends, now: number) {
  const [earlier, later] = [byFingerprint(before), byFingerprint(after)];
  const kept = new Map([...past].filter(([id, put]) => !later.has(id) && !isExpired(put, now)));
  for (const [id, { budget }] of earlier) {
    if (!later.has(id) && budget.sends.length > 0) kept.set(id, { sends: budget.sends, at: now });
  }
  const logins = new Map(before.queues.map((queue) => [queue.connection.id, loginOf(queue, before)]));
  const queues = after.queues.map((queue) => {
    // The quota of an unchanged connection already contains its sends.
    if (logins.get(queue.connection.id) === loginOf(queue, after)) return queue;
    const id = fingerprintOf(queue, after);
    const sends = earlier.get(id)?.budget.sends ?? past.get(id)?.sends ?? [];
    return { ...queue, budget: { ...queue.budget, sends: [...sends, ...queue.budget.sends] } };
  });
  return { after: { ...after, queues }, past: kept };
}

/** True if the sends can be deleted. The double day allows for a clock that is set forward by a day or two. */
export function isExpired({ at }: RemovedKeySends, now: number): boolean {
  return at + 2 * SAFE_DAY_MS < now;
}

/**
 * Returns a hash of a key that is so short that thousands of keys share it. It does not reveal the key, nor confirm a
 * guess. Two keys with one hash share a day's sends, which is safe.
 */
export function fingerprint(apiKey: string): string {
  const long = hash(apiKey);
  return String((long ^ (long >>> 16)) & 0xffff);
}

/** Returns the 32-bit FNV-1a hash of a text. */
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
