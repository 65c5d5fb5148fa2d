import { SAFE_DAY_MS } from './budget.ts';
import type { Queue, Send } from './types.ts';

/** The sends of a key that no connection has any more. */
export interface PutAside {
  sends: Send[];
  /** When it lost its connection. */
  at: number;
}

/** Each under the `fingerprint` of its key. */
export type PastSends = Map<string, PutAside>;

interface Logins {
  queues: Queue[];
  apiKeys: Map<string, string>;
}

/**
 * What a service has counted of a key does not end with its connection: the sends of a key that is replaced or forgotten are
 * put aside, and count again where the same key comes back. They go once no day can hold them any more.
 */
export function carrySends<T extends Logins>(before: Logins, after: T, past: PastSends, now: number) {
  const [earlier, later] = [byFingerprint(before), byFingerprint(after)];
  const kept = new Map([...past].filter(([id, put]) => !later.has(id) && !isAged(put, now)));
  for (const [id, { budget }] of earlier) {
    if (!later.has(id) && budget.sends.length > 0) kept.set(id, { sends: budget.sends, at: now });
  }
  const queues = after.queues.map((queue) => {
    const id = fingerprintOf(queue, after);
    const put = earlier.has(id) ? undefined : past.get(id);
    return put ? { ...queue, budget: { ...queue.budget, sends: [...put.sends, ...queue.budget.sends] } } : queue;
  });
  return { after: { ...after, queues }, past: kept };
}

/** Twice as long as a day may be read, so that a clock that is set forward by a day or two gives nothing back. */
export function isAged({ at }: PutAside, now: number): boolean {
  return at + 2 * SAFE_DAY_MS < now;
}

/**
 * A number for a key at an address: the same for the same two, and so short that thousands of others share it. So it tells
 * neither, nor proves a guess right. Two keys that happen to share one share a day's sends: the safe side.
 */
export function fingerprint(baseUrl: string, apiKey: string): string {
  const long = hash(`${new URL(baseUrl).origin} ${apiKey}`);
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
  return fingerprint(connection.baseUrl, apiKeys.get(connection.id) ?? '');
}
