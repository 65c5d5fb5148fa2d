import type { Queue, Send } from '../types.ts';
import { SAFE_DAY_MS } from './daily-quota.ts';

/** Recorded quota use of an API key that was deleted or replaced. */
export interface RemovedKeySends {
  sends: Send[];
  /** Time at which the connection was deleted or got a different key. */
  at: number;
}

/** Recorded sends of removed API keys, by the key's `fingerprint`. */
export type PastSends = Map<string, RemovedKeySends>;

interface Logins {
  queues: Queue[];
  apiKeys: Map<string, string>;
}

/**
 * Stores the used quota of removed API keys, and restores the used quota if the user adds a key again. Removing and
 * adding a key therefore does not reset its quota.
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
    if (isUnchanged(queue)) return queue;
    const key = keyOf(queue, after);
    const ids = new Set([fingerprint(key), oldFingerprint(queue.connection.baseUrl, key)]);
    for (const id of ids) restored.add(id);
    const removed = [...ids].flatMap((id) => kept.get(id)?.sends ?? []);
    // Other connections with the same API key share its quota.
    const shared = before.queues.filter((one) => isUnchanged(one) && keyOf(one, before) === key);
    const sends = [...removed, ...shared.flatMap(({ budget }) => budget.sends), ...queue.budget.sends];
    return { ...queue, budget: { ...queue.budget, sends } };
  });
  const left = new Map([...kept].filter(([id]) => !restored.has(id)));
  return { after: { ...after, queues }, past: left };
}

/**
 * True if the used quota of a removed API key is no longer needed. The limit is two days instead of one, because the
 * computer's clock may have been set forward.
 */
export function isExpired({ at }: RemovedKeySends, now: number): boolean {
  return at + 2 * SAFE_DAY_MS < now;
}

/**
 * Returns a 16-bit hash of an API key. Many possible keys share each hash, so a hash neither reveals a key nor
 * confirms a guess. If two of the user's keys share a hash, their HTTP requests are counted together. That is safe,
 * because the extension then sends fewer requests than allowed.
 */
export function fingerprint(apiKey: string): string {
  const long = hash(apiKey);
  return String((long ^ (long >>> 16)) & 0xffff);
}

/** Returns the fingerprint that previous versions stored. It depends on both the API key and the server address. */
export function oldFingerprint(baseUrl: string, apiKey: string): string {
  return fingerprint(`${new URL(baseUrl).origin} ${apiKey}`);
}

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
