import { describe, expect, test } from 'vitest';
import { SAFE_DAY_MS } from '../../../../src/queue/limits/daily-quota.ts';
import {
  fingerprint,
  hash,
  isExpired,
  oldFingerprint,
  type PastSends,
  restoreSends,
} from '../../../../src/queue/limits/removed-key-quota.ts';
import type { Queue, Send } from '../../../../src/queue/types.ts';
import { aQueue, aSend, NOW, specOnly } from '../support/queue-builders.ts';

const [FIRST, SECOND, THIRD] = [aSend(1), aSend(2), aSend(3)] as [Send, Send, Send];
const NONE: PastSends = new Map();

/** Returns connections with their API keys and recorded sends. */
function logins(...list: { id: string; key: string; sends?: Send[]; baseUrl?: string }[]) {
  const queues = list.map(({ id, sends = [], baseUrl = specOnly.baseUrl }) =>
    aQueue({ connection: { ...specOnly, id, baseUrl }, budget: { sends } }),
  );
  return { queues, apiKeys: new Map(list.map(({ id, key }) => [id, key])) };
}
const sendsOf = ({ queues }: { queues: Queue[] }) => queues.map(({ budget }) => budget.sends);
const change = (before: ReturnType<typeof logins>, after: ReturnType<typeof logins>, past = NONE) =>
  restoreSends(before, after, past, NOW);

describe('the sends of an API key', () => {
  test('count again if the key is added again, and are then no longer stored separately', () => {
    const removed = change(logins({ id: 'a', key: 'one', sends: [FIRST, SECOND] }), logins());
    expect(removed.past).toEqual(new Map([[fingerprint('one'), { sends: [FIRST, SECOND], at: NOW }]]));
    const added = change(logins(), logins({ id: 'b', key: 'one', sends: [THIRD] }), removed.past);
    expect(sendsOf(added.after)).toEqual([[FIRST, SECOND, THIRD]]);
    expect(added.past).toEqual(NONE);
  });

  test('do not count for another key', () => {
    const removed = change(logins({ id: 'a', key: 'one', sends: [FIRST] }), logins());
    const added = change(logins(), logins({ id: 'b', key: 'two' }), removed.past);
    expect(sendsOf(added.after)).toEqual([[]]);
    expect(added.past).toEqual(removed.past);
  });

  test('move with the key if the user replaces the key or the address of a connection', () => {
    const before = logins({ id: 'a', key: 'one', sends: [FIRST] });
    const replaced = change(before, logins({ id: 'a', key: 'two' }));
    expect([sendsOf(replaced.after), replaced.past.size]).toEqual([[[]], 1]);
    const moved = change(before, logins({ id: 'a', key: 'one', baseUrl: 'https://moved.example' }));
    expect([sendsOf(moved.after), moved.past.size]).toEqual([[[FIRST]], 0]);
  });

  test('stay with an unchanged connection', () => {
    const before = logins({ id: 'a', key: 'one', sends: [FIRST] });
    const { after, past } = change(before, logins({ id: 'a', key: 'one', sends: [FIRST, SECOND] }));
    expect([sendsOf(after), past]).toEqual([[[FIRST, SECOND]], NONE]);
  });

  test('count for a second connection with the same key too', () => {
    const first = { id: 'a', key: 'one', sends: [FIRST] };
    const other = { id: 'o', key: 'other', sends: [THIRD] };
    const second = { id: 'b', key: 'one', baseUrl: 'https://b.example' };
    expect(sendsOf(change(logins(first, other), logins(first, other, second)).after)).toEqual([
      [FIRST],
      [THIRD],
      [FIRST],
    ]);
  });

  test('add up if two connections with the same key are removed', () => {
    const before = logins({ id: 'a', key: 'one', sends: [FIRST] }, { id: 'b', key: 'one', sends: [SECOND] });
    const { past } = change(before, logins());
    expect(past.get(fingerprint('one'))?.sends).toEqual([FIRST, SECOND]);
  });

  test('are not stored for a key without sends', () => {
    expect(change(logins({ id: 'a', key: 'one' }), logins()).past).toEqual(NONE);
  });

  test('are found if a previous version stored them', () => {
    const past: PastSends = new Map([[oldFingerprint(`${specOnly.baseUrl}/path`, 'one'), { sends: [FIRST], at: NOW }]]);
    const { after, past: left } = change(logins(), logins({ id: 'a', key: 'one' }), past);
    expect([sendsOf(after), left]).toEqual([[[FIRST]], NONE]);
  });

  test('expire after two days of 25 hours', () => {
    const removed = { sends: [FIRST], at: NOW - 2 * SAFE_DAY_MS };
    expect([isExpired(removed, NOW), isExpired(removed, NOW + 1)]).toEqual([false, true]);
    const past: PastSends = new Map([[fingerprint('one'), { ...removed, at: removed.at - 1 }]]);
    const { after, past: left } = change(logins(), logins({ id: 'a', key: 'one' }), past);
    expect([sendsOf(after), left]).toEqual([[[]], NONE]);
    expect(change(logins(), logins(), past).past).toEqual(NONE);
  });
});

describe('the fingerprint of an API key', () => {
  // Stored fingerprints must be found by the next version. The hash is FNV-1a, whose values are published.
  test('is the 32-bit FNV-1a hash, folded to 16 bits', () => {
    expect(hash('') >>> 0).toBe(0x811c9dc5);
    expect(hash('foobar') >>> 0).toBe(0xbf9cf968);
    expect(fingerprint('foobar')).toBe(String(0xbf9c ^ 0xf968));
  });

  test('depended on the origin in previous versions', () => {
    expect(oldFingerprint('https://a.example/path', 'key')).toBe(fingerprint('https://a.example key'));
  });
});
