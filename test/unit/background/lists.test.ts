import { beforeEach, describe, expect, test, vi } from 'vitest';
import { NO_OPTIONS } from '../../../src/queue/accept.ts';
import { readList } from '../../../src/storage/load-page-data.ts';
import { addLinks, aLink } from '../storage/stored.ts';
import { freshDisk } from '../support/disk.ts';
import { connected, TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

beforeEach(freshDisk);

const DAY = 86_400_000;

function list(worker: TestWorker, urls: string[], listId = 'list') {
  return worker.commands.shorten({
    orders: urls.map((url, n) => ({ id: listId === 'list' ? `request-${n}` : `${listId}-${n}`, url, title: '' })),
    connectionId: null,
    options: NO_OPTIONS,
    anew: false,
    source: 'popup',
    listId,
  });
}

const url = (name: string | number) => `https://x.example/${name}`;
const ids = async (id = 'list') => (await readList(id))?.list.ids;

describe('a list', () => {
  test('is the same if a page without a reply repeats the request, even if a link was edited', async () => {
    const worker = await connected('full');
    const urls = [url(1), url(2), url(3)];
    await list(worker, urls);
    await worker.runner.run();
    await addLinks(worker.store, [aLink('request-0', { url: url('edited') })]);
    await list(worker, urls);
    expect(await worker.requests()).toEqual([]);
    expect(await ids()).toEqual(['request-0', 'request-1', 'request-2']);
  });

  test('keeps its accepted URLs if a page without a reply sends it again with other URLs', async () => {
    const worker = await connected('full');
    await list(worker, [url(1), url(2)]);
    await list(worker, [url(1)]);
    expect(await ids()).toEqual(['request-0', 'request-1']);
    await worker.runner.run();
    expect((await readList('list'))?.links).toHaveLength(2);
  });

  test('reads links only for completed requests', async () => {
    const worker = await connected('full');
    await addLinks(worker.store, [aLink('known', { url: url('known') })]);
    await list(worker, [url('known'), ...Array.from({ length: 99 }, (_, n) => url(n))]);
    const read = async () => {
      const lookUps = vi.spyOn(IDBObjectStore.prototype, 'getAll');
      const links = (await readList('list'))?.links;
      const steps = lookUps.mock.calls.length;
      lookUps.mockRestore();
      return { links: links?.length, steps };
    };
    expect(await read()).toEqual({ links: 1, steps: 1 });
    await worker.runner.run();
    const ended = await read();
    expect(ended.links).toBeGreaterThan(1);
    expect(ended.steps).toBeGreaterThan(1);
  });

  test('also completes if the worker died during the last request and the user must decide', async () => {
    const worker = await connected('spec-only');
    worker.send = () => new Promise(() => {});
    await list(worker, [url(1)]);
    void worker.runner.run();
    await vi.waitFor(() => expect(worker.sent).toHaveLength(1));
    const next = new TestWorker(5_000);
    await next.runOut();
    expect(await next.requests()).toMatchObject([{ state: 'uncertain' }]);
    expect(next.completed.flatMap(({ listIds }) => listIds)).toEqual(['list']);
  });

  test('is deleted with a newer list after 90 days, but its links stay', async () => {
    const worker = await connected('full');
    await list(worker, [url(1)]);
    await worker.runner.run();
    worker.pass(80 * DAY);
    await list(worker, [url(2)], 'newer');
    expect(await ids()).toEqual(['request-0']);
    worker.pass(11 * DAY);
    await list(worker, [url(3)], 'newest');
    expect(await ids()).toBeUndefined();
    expect(await worker.links()).toEqual(['request-0']);
    expect(await ids('newer')).toHaveLength(1);
  });
});

test('a queue that the user paused sends nothing and sets no alarm until the user resumes it, even under a new worker', async () => {
  const worker = await connected('full');
  await worker.accept('request-a');
  await worker.commands.setPaused('c', true);
  await worker.runner.run();
  const next = new TestWorker(DAY);
  await next.runner.run();
  await next.commands.tryNow('c');
  await next.commands.retry('request-a');
  await next.runner.networkReturned();
  await next.runner.run();
  expect([...worker.sent, ...next.sent, ...worker.probed, ...next.probed]).toEqual([]);
  expect(next.wakes).toEqual([]);
  expect((await next.queue()).state.paused).toBe(true);
  await next.commands.setPaused('c', false);
  await next.runner.run();
  expect(next.sent.map(({ requestIds }) => requestIds)).toEqual([['request-a']]);
});
