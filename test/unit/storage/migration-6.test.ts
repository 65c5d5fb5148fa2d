import { openDB } from 'idb';
import { beforeEach, expect, test, vi } from 'vitest';
import { openDatabase } from '../../../src/storage/database.ts';
import { aQueue, aRequest } from '../queue/support/queue-builders.ts';
import { freshDisk } from '../support/disk.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

beforeEach(freshDisk);

/** Creates the part of a version 5 database that the migration reads. */
async function createVersion5(requests: object[]): Promise<void> {
  const database = await openDB('terse', 5, {
    async upgrade(opened) {
      const requestStore = opened.createObjectStore('requests', { keyPath: 'id' });
      const queueStore = opened.createObjectStore('queues', { keyPath: 'connectionId' });
      for (const request of requests) await requestStore.put(request);
      const { state, budget } = aQueue();
      for (const connectionId of ['c', 'd']) await queueStore.put({ connectionId, revision: '1', state, budget });
    },
  });
  database.close();
}

test('positions and pause marks are removed, and a queue with a pause mark is paused', async () => {
  const [moved, paused, left] = ['moved', 'paused', 'left'].map((id) => aRequest(id, { connectionId: 'c' }));
  await createVersion5([
    { ...moved, connectionId: 'd', position: 3 },
    { ...paused, onHold: true },
    { ...left, connectionId: null, onHold: true },
  ]);
  const database = await openDatabase();
  const requests = await database.getAll('requests');
  const queues = await database.getAll('queues');
  database.close();
  expect(requests).toEqual([{ ...left, connectionId: null }, { ...moved, connectionId: 'd' }, paused]);
  expect(queues.map(({ connectionId, state }) => [connectionId, state.onHold])).toEqual([
    ['c', true],
    ['d', undefined],
  ]);
});
