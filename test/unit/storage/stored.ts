import { vi } from 'vitest';
import type { Connection, Link, Queue, Request } from '../../../src/queue/types.ts';
import { newQueue } from '../../../src/queue/user-actions.ts';
import type { Store } from '../../../src/storage/store.ts';
import { NOW, specOnly } from '../queue/support/queue-builders.ts';

export const other: Connection = { ...specOnly, id: 'd', baseUrl: 'https://b.example', preferredAt: 2 };

/** Adds connections. Each API key is `key-` plus the connection id. */
export function connect(store: Store, ...connections: Connection[]): Promise<null> {
  return store.updateAll((all) => {
    const apiKeys = new Map(all.apiKeys);
    for (const { id } of connections) apiKeys.set(id, `key-${id}`);
    return { all: { ...all, queues: [...all.queues, ...connections.map(newQueue)], apiKeys }, result: null };
  });
}

/** Changes one queue. The default is the queue of `specOnly`. */
export function change(store: Store, rule: (queue: Queue) => Queue, connectionId = specOnly.id): Promise<true | null> {
  return store.update(connectionId, (queue) => ({ queue: rule(queue), result: true }));
}

export function addRequests(store: Store, requests: Request[], connectionId = specOnly.id): Promise<true | null> {
  return change(store, (queue) => ({ ...queue, requests: [...queue.requests, ...requests] }), connectionId);
}

export function addLinks(store: Store, links: Link[]): Promise<true | null> {
  return store.update(specOnly.id, (queue) => ({ queue, links, result: true }));
}

export function aLink(id: string, part: Partial<Link> = {}): Link {
  return {
    id,
    connectionId: specOnly.id,
    listId: null,
    url: `https://x.example/${id}`,
    title: '',
    shortUrl: `https://s.example/${id}`,
    shortCode: id,
    createdAt: NOW,
    expiresAt: null,
    ...part,
  };
}

/** Returns a link whose number is also its age order: each number is one millisecond newer. */
export function linkNumber(number: number, part: Partial<Link> = {}): Link {
  return aLink(`link-${number}`, { createdAt: NOW + number, ...part });
}

export function idsOf(records: { id: string }[]): string[] {
  return records.map(({ id }) => id);
}

/** Records database writes and deletions. Returns a function that lists them by object store and key. */
export function watchWrites(): () => string[] {
  const spies = (['put', 'add', 'delete'] as const).map((method) => ({
    method,
    spy: vi.spyOn(IDBObjectStore.prototype, method),
  }));
  return () =>
    spies
      .flatMap(({ method, spy }) => {
        const writes = spy.mock.calls.map(([value, key], call) => {
          const { name } = spy.mock.contexts[call] as IDBObjectStore;
          return `${method} ${name} ${key ?? value.id ?? value.connection?.id ?? value}`;
        });
        spy.mockRestore();
        return writes;
      })
      .toSorted();
}

/** Records database transactions. Returns a function that lists their object stores and options. */
export function watchTransactions(): () => { stores: string[]; mode: string; durability: string }[] {
  const spy = vi.spyOn(IDBDatabase.prototype, 'transaction');
  return () => {
    const opened = spy.mock.calls.map(([stores, mode = 'readonly', options]) => ({
      stores: [stores].flat() as string[],
      mode,
      durability: options?.durability ?? 'default',
    }));
    spy.mockRestore();
    return opened;
  };
}
