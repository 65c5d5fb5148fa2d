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
  const [earlier, later] = [loginsById(before), loginsById(after)];
  const isUnchanged = ({ connection: { id } }: Queue) => earlier.get(id) === later.get(id);
  const kept = new Map([...past].filter(([, removed]) => !isExpired(removed, now)));
  for (const queue of before.queues) {
    const { sends } = queue.budget;
    if (isUnchanged(queue) || sends.length === 0) continue;
    const id = fingerprint(keyOf(queue, before));
    kept.set(id, { sends: [...(kept.get(id)?.sends ?? []), ...sends], at: now });
  }
  const restored = new Set<string>();
  const queues = after.queues.map((queue) => {
    // The quota of an unchanged connection already contains its sends.
    if (isUnchanged(queue)) return queue;
    const key = keyOf(queue, after);
    const ids = new Set([fingerprint(key), oldFingerprint(queue.connection.baseUrl, key)]);
    for (const id of ids) restored.add(id);
    const removed = [...ids].flatMap((id) => kept.get(id)?.sends ?? []);
    // Another connection may be to the same service under another name.
    const shared = before.queues.filter((one) => isUnchanged(one) && keyOf(one, before) === key);
    const sends = [...removed, ...shared.flatMap(({ budget }) => budget.sends), ...queue.budget.sends];
    return { ...queue, budget: { ...queue.budget, sends } };
  });
  const left = new Map([...kept].filter(([id]) => !restored.has(id)));
  return { after: { ...after, queues }, past: left };
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

/** Returns the fingerprint that earlier versions stored sends under. It depended on the address too. */
export function oldFingerprint(baseUrl: string, apiKey: string): string {
  return fingerprint(`${new URL(baseUrl).origin} ${apiKey}`);
}

/** Returns the 32-bit FNV-1a hash of a text. */
export function hash(text: string): number {
  let number = 0x811c9dc5;
  for (const char of text) number = Math.imul(number ^ char.charCodeAt(0), 0x01000193);
  return number;
}

function loginsById(logins: Logins): Map<string, string> {
  return new Map(
    logins.queues.map((queue) => [queue.connection.id, `${queue.connection.baseUrl} ${keyOf(queue, logins)}`]),
  );
}

function keyOf({ connection }: Queue, { apiKeys }: Logins): string {
  return apiKeys.get(connection.id) ?? '';
}
