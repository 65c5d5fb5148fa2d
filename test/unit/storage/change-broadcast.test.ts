import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Link } from '../../../src/queue/types.ts';
import { onLinksChanged, onQueuesChanged } from '../../../src/storage/change-broadcast.ts';
import type { Store } from '../../../src/storage/store.ts';
import { aRequest, specOnly } from '../queue/support/queue-builders.ts';
import { freshDisk, openStore } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';
import { addLinks, addRequests, aLink, change, connect, idsOf } from './stored.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

let store: Store;
let queues = vi.fn(() => {});
let links = vi.fn((_added: Link[]) => {});

beforeEach(async () => {
  freshDisk();
  ({ store } = await openStore());
  await connect(store, specOnly);
  await addLinks(store, [aLink('kept')]);
  queues = vi.fn(() => {});
  links = vi.fn((_added: Link[]) => {});
  onQueuesChanged(queues);
  onLinksChanged(links);
});

/** Returns how often changes of queues and changes of links were broadcast. */
const announced = () => [queues.mock.calls.length, links.mock.calls.length];

test('a change of a queue is broadcast only to subscribers of queues', async () => {
  await addRequests(store, [aRequest('a')]);
  expect(announced()).toEqual([1, 0]);
  await addRequests(store, [aRequest('p')]);
  expect(announced()).toEqual([2, 0]);
});

test('a created link is broadcast to subscribers of queues and links', async () => {
  await addRequests(store, [aRequest('a')]);
  await store.update('c', (queue) => ({ queue: { ...queue, requests: [] }, links: [aLink('a')], result: null }));
  expect(announced()).toEqual([2, 1]);
});

describe('subscribers of links receive', () => {
  const told = () => links.mock.calls.map(([added]) => idsOf(added));

  test('new links', async () => {
    await addLinks(store, [aLink('a')]);
    expect(links).toHaveBeenLastCalledWith([aLink('a')]);
  });

  test('no links if there are too many', async () => {
    await addLinks(
      store,
      Array.from({ length: 21 }, (_, n) => aLink(`link-${n}`)),
    );
    expect(told()).toEqual([[]]);
  });

  test('no link that was removed', async () => {
    await addLinks(store, [aLink('a')]);
    await store.removeLinks(['a']);
    expect(told().at(-1)).toEqual([]);
    expect(JSON.stringify(await browser.storage.session.get('linksRevision'))).not.toContain(aLink('a').url);
  });
});

test('a transaction without a change is not broadcast', async () => {
  await change(store, (queue) => queue);
  await store.updateAll((all) => ({ all: { ...all, queues: [...all.queues] }, result: null }));
  await store.queues();
  expect(announced()).toEqual([0, 0]);
});

test('a subscriber receives nothing after unsubscribing, and nothing from other storage areas', async () => {
  const stopped = vi.fn();
  onQueuesChanged(stopped)();
  await addRequests(store, [aRequest('a')]);
  expect(stopped).not.toHaveBeenCalled();
  await browser.storage.local.set({ queuesRevision: 1, linksRevision: 1 });
  expect(announced()).toEqual([1, 0]);
});
