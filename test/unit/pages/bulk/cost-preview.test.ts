import { describe, expect, test } from 'vitest';
import { liveLinks, previewCost } from '../../../../src/pages/bulk/cost-preview.ts';
import type { Entry } from '../../../../src/pages/bulk/list-model.ts';
import type { Expiry } from '../../../../src/queue/default-expiry.ts';
import type { WaitReason } from '../../../../src/queue/status.ts';
import type { Queue, QueueState } from '../../../../src/queue/types.ts';
import { aQueue, aRequest, at, fullService, HOUR, NOW, SPENT, sendsNow } from '../../queue/support/queue-builders.ts';
import { aLink } from '../../storage/stored.ts';

const entries = (count: number): Entry[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `e${n}`,
    url: `https://x.example/${n}`,
    title: '',
    times: 1,
    userInfoRemoved: false,
  }));
const plan = (queue: Queue, count: number, known = new Map(), online = true, expiry: Expiry = 'never') =>
  previewCost(queue, entries(count), known, expiry, at(), online);

describe('the preview of a list', () => {
  test('costs one request per batch, or one per URL if the service accepts no batches', () => {
    expect(plan(aQueue({ connection: fullService() }), 30).cost).toBe(1);
    expect(plan(aQueue({ connection: fullService() }), 1_000).cost).toBe(20);
    expect(plan(aQueue(), 30).cost).toBe(30);
  });

  test('costs nothing for URLs that have a live link or are already in the queue', () => {
    const known = new Map(entries(2).map(({ url }) => [url, aLink('a')]));
    expect(plan(aQueue(), 3, known).cost).toBe(1);
    const waiting = aQueue({ requests: [aRequest('w', { url: 'https://x.example/0' })] });
    expect(plan(waiting, 1)).toMatchObject({ cost: 0, ids: new Set() });
    const lasting = { ...waiting, connection: fullService() };
    expect(plan(lasting, 1, new Map(), true, 'week')).toMatchObject({ cost: 0, ids: new Set() });
  });

  test('schedules the list after the requests that are already in the queue', () => {
    const queue = aQueue({ limits: { ...SPENT, sends: sendsNow(18) }, requests: [aRequest('w')] });
    const { sends, ids } = plan(queue, 2);
    const own = sends.filter(({ requestIds }) => requestIds.some((id) => ids.has(id)));
    expect(own.map(({ at }) => at - NOW)).toEqual([1_000, 25 * HOUR]);
  });
});

describe('the reason why a list cannot be sent', () => {
  test.each<[string, Partial<QueueState>, boolean, WaitReason]>([
    ['a missing API key', { blocked: 'key_missing' }, true, 'key_missing'],
    ['a missing permission', { blocked: 'permission' }, true, 'permission'],
    ['a pause by the user', { paused: true }, true, 'paused'],
    ['no network', {}, false, 'offline'],
    [
      'an unreachable service',
      { wait: { until: NOW + HOUR, reason: 'unreachable', named: false } },
      true,
      'unreachable',
    ],
  ])('is %s', (_what, state, online, reason) => {
    expect(plan(aQueue({ state }), 2, undefined, online).wait).toMatchObject({ kind: 'waiting', reason });
  });

  test('is not the quota or earlier requests, because the send times include them', () => {
    const others = aQueue({ requests: [aRequest('w')] });
    const spent = aQueue({ limits: { ...SPENT, sends: sendsNow(20) } });
    const paced = aQueue({ state: { lastEndedAt: NOW } });
    for (const queue of [aQueue(), others, spent, paced]) expect(plan(queue, 2).wait).toBeNull();
    expect(plan(aQueue({ state: { blocked: 'key_missing' } }), 0).wait).toBeNull();
  });
});

test('a link is live if it belongs to the connection, is listed and has not expired', () => {
  const links = [
    aLink('a', { url: 'https://x.example/a' }),
    aLink('b', { url: 'https://x.example/b', connectionId: 'other' }),
    aLink('c', { url: 'https://x.example/c', expiresAt: NOW }),
    aLink('d', { url: 'https://x.example/d', unlisted: true }),
  ];
  expect([...liveLinks(links, 'c', NOW).keys()]).toEqual(['https://x.example/a']);
});

test('the live link of a URL is the newest one that has not expired', () => {
  const url = 'https://x.example/a';
  const links = [
    aLink('live', { url, createdAt: NOW - 2 }),
    aLink('older', { url, createdAt: NOW - 3 }),
    aLink('expired', { url, createdAt: NOW - 1, expiresAt: NOW }),
  ];
  expect(liveLinks(links, 'c', NOW).get(url)?.id).toBe('live');
  expect(liveLinks(links.slice(2), 'c', NOW).size).toBe(0);
});
