import { beforeEach, expect, test, vi } from 'vitest';
import { onLinksChanged, onQueuesChanged } from '../../../src/storage/database.ts';
import type { Store } from '../../../src/storage/store.ts';
import { aRequest, specOnly } from '../queue/support/queue-builders.ts';
import { freshDisk, openStore } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';
import { addLinks, addRequests, aLink, change, connect } from './stored.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

let store: Store;
let queues = vi.fn(() => {});
let links = vi.fn(() => {});

beforeEach(async () => {
  freshDisk();
  ({ store } = await openStore());
  await connect(store, specOnly);
  await addLinks(store, [aLink('kept')]);
  queues = vi.fn(() => {});
  links = vi.fn(() => {});
  onQueuesChanged(queues);
  onLinksChanged(links);
});

/** Returns how often changes of queues and changes of links were broadcast. */
const announced = () => [queues.mock.calls.length, links.mock.calls.length];

test('a change of a queue is broadcast only to subscribers of queues', async () => {
  await addRequests(store, [aRequest('a')]);
  expect(announced()).toEqual([1, 0]);
});

test('a created link is broadcast to subscribers of queues and links, without its data', async () => {
  await addRequests(store, [aRequest('a')]);
  await store.update('c', (queue) => ({ queue: { ...queue, requests: [] }, links: [aLink('a')], result: null }));
  expect(announced()).toEqual([2, 1]);
  expect(browser.storage.session.dump(), 'data in a broadcast').not.toContain(aLink('a').url);
});

test('a transaction without a change is not broadcast', async () => {
  await change(store, (queue) => queue);
  await store.updateAll((all) => ({ all: { ...all, queues: [...all.queues] }, result: null }));
  await store.queues();
  expect(announced()).toEqual([0, 0]);
});

test('a background tells open pages to read again, because the one before may have been killed before it did', async () => {
  await addRequests(store, [aRequest('sent', { state: 'sending' })]);
  queues.mockClear();
  const next = (await openStore()).store;
  expect((await next.queue('c'))?.requests).toMatchObject([{ id: 'sent', state: 'uncertain' }]);
  expect(announced()).toEqual([1, 1]);
  await next.queues();
  expect(announced()).toEqual([1, 1]);
});

test('a subscriber receives nothing after unsubscribing, and nothing from other storage areas', async () => {
  const stopped = vi.fn();
  onQueuesChanged(stopped)();
  await addRequests(store, [aRequest('a')]);
  expect(stopped).not.toHaveBeenCalled();
  await browser.storage.local.set({ queuesRevision: 1, linksRevision: 1 });
  expect(announced()).toEqual([1, 0]);
});
