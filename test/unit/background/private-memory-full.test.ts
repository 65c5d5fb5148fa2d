import { beforeEach, expect, test, vi } from 'vitest';
import { failure } from '../../../src/background/message-router.ts';
import type { Reply } from '../../../src/messages/protocol.ts';
import { readMarks } from '../../../src/storage/private-memory.ts';
import { freshDisk } from '../support/disk.ts';
import { connected, lost, type TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

let worker: TestWorker;

beforeEach(async () => {
  freshDisk();
  worker = await connected('full');
});

const long = 'a'.repeat(8_000);
let lists = 0;

/** Asks for `count` URLs and returns the error code of the reply. */
async function ask(count: number): Promise<string> {
  const reply = await askFor(count);
  return reply.ok ? 'accepted' : reply.code;
}

async function askFor(count: number): Promise<Reply<unknown>> {
  lists += 1;
  const orders = Array.from({ length: count }, (_, index) => {
    const id = `list-${lists}-${index}`;
    return { id, url: `https://x.example/${id}/${long}`, title: '' };
  });
  return worker.shorten({ id: 'of-a-list' }, { orders, private: true }).catch(failure);
}

async function fillUp(): Promise<void> {
  for (let count = 0; count < 1_000; count += 1) if ((await ask(20)) !== 'accepted') return;
  throw new Error('No list was refused.');
}

test('a private request that does not fit in memory is refused with a reason and costs nothing, even if repeated', async () => {
  await fillUp();
  const before = await worker.queue();
  worker.sendsAtOnce = true;
  worker.send = () => new Promise(() => {});
  await worker.store.queues();
  for (const count of [20, 20, 400]) expect(await ask(count)).toBe('private_full');
  void worker.runner.run();
  await vi.waitFor(() => expect(worker.sent.flatMap(({ requestIds }) => requestIds)).toEqual([before.requests[0]?.id]));
  const after = await worker.queue();
  expect(after.requests.map(({ id }) => id)).toEqual(before.requests.map(({ id }) => id));
  expect(after.limits.sends).toHaveLength(1);
  const reply = await worker.shorten({ id: 'open' });
  expect(reply).toMatchObject({ ok: true });
});

test('the refusal of a private list contains the number of URLs that fit, and that number is accepted', async () => {
  const refused = async (count: number) => {
    const reply = await askFor(count);
    if (reply.ok || reply.fits === undefined) throw new Error('The list was not refused because of its size.');
    return reply.fits;
  };
  const fits = await refused(400);
  expect(fits).toBeGreaterThan(100);
  expect(await refused(fits + 10)).toBeGreaterThanOrEqual(fits);
  expect((await askFor(fits)).ok).toBe(true);
  expect(await refused(20)).toBeLessThan(5);
});

test('a refused private list does not delay waiting requests, even if repeated', async () => {
  worker.sendsAtOnce = true;
  await worker.store.queues();
  await worker.accept('sent');
  await worker.runner.run();
  await worker.accept('waits');
  await worker.runner.run();
  const due = worker.wakes.at(-1);
  expect(due).toEqual({ at: worker.now + 1_000, whenOnline: false });
  for (let tries = 0; tries < 3; tries += 1) {
    worker.pass(100);
    expect(await ask(400)).toBe('private_full');
    await vi.waitFor(() => expect(worker.wakes.at(-1)).toEqual(due));
  }
  await worker.runOut();
  expect(await worker.links()).toEqual(['sent', 'waits']);
});

test('all accepted requests can be sent, and each send counts once, even without a response', async () => {
  await fillUp();
  worker.send = async (attempt) => lost(attempt);
  for (let sends = 0; sends < 3; sends += 1) {
    await worker.runner.run();
    worker.pass(2_000);
  }
  expect(worker.sent).toHaveLength(3);
  const { limits, attempts } = await worker.queue();
  expect(limits.sends).toHaveLength(3);
  expect(attempts.map(({ sends }) => sends)).toEqual([2, 1]);
});

test('copies of several short URLs at the same time are all recorded', async () => {
  const mark = (shortCode: string) => worker.store.markPrivate(shortCode);
  const options = { shortCode: 'chosen', title: null, expiresAt: null };
  await Promise.all([mark('one'), mark('two'), worker.shorten({ id: 'a' }, { options, private: true }), mark('three')]);
  expect((await readMarks()).size).toBe(5);
});
