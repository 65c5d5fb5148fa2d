import { beforeEach, describe, expect, test, vi } from 'vitest';
import { answered, forNow, lost, refused, specOnly, unclear } from '../queue/given.ts';
import { freshDisk } from '../support/disk.ts';
import { connected, type Life } from './life.ts';

vi.mock('webextension-polyfill', () => import('../support/fake-browser.ts'));

beforeEach(freshDisk);

describe('what became of a send is told', () => {
  test('with how long it took, links and what only the person can move on', async () => {
    const life = await connected();
    await life.accept('request-a');
    life.pass(400);
    await life.pump.run();
    expect(life.told).toMatchObject([{ arrivals: [{ link: { id: 'request-a' }, waited: 400 }], stuck: [] }]);
  });

  test.each([
    ['failed', refused('invalid_url'), 'spec-only', ['request-a']],
    ['unknown', unclear('server_error'), 'spec-only', ['request-a']],
    ['waiting', forNow('throttled', 60), 'spec-only', []],
  ] as const)('%s', async (_name, item, kind, stuck) => {
    const life = await connected(kind);
    await life.accept('request-a');
    life.send = async () => answered([item]);
    await life.pump.run();
    expect(life.told.flatMap((told) => told.stuck.map(({ id }) => id))).toEqual(stuck);
  });

  test('but not as the person’s to decide where it is sent again by itself', async () => {
    const life = await connected('full');
    await life.accept('request-a');
    life.send = async () => lost();
    await life.pump.run();
    expect(life.told).toEqual([{ arrivals: [], stuck: [] }]);
    expect(await life.requests()).toMatchObject([{ state: 'unknown' }]);
  });

  test('and whatever goes wrong with telling, what waits is sent', async () => {
    const life = await connected();
    await life.accept('request-a', 'request-b');
    life.settled = () => Promise.reject(new Error('no notifications here'));
    await life.runOut();
    expect(await life.links()).toHaveLength(2);
  });
});

describe('without permission', () => {
  test('nothing is sent and the queue halts, until it is resumed', async () => {
    const life = await connected();
    await life.accept('request-a');
    life.permitted = async () => false;
    await life.pump.run();
    expect([...life.sent, ...life.looks]).toEqual([]);
    expect((await life.snapshot()).queue.halt).toBe('permission');
    expect(life.slept).toBe(1);
    life.permitted = async () => true;
    await life.wishes.retry('request-a');
    await life.pump.run();
    expect(await life.links()).toEqual(['request-a']);
  });

  test('for a connection that has been replaced meanwhile, the new one is not halted', async () => {
    const life = await connected();
    await life.accept('request-a');
    life.permitted = async () => {
      life.permitted = async () => true;
      await life.connect({ ...specOnly, id: 'other' });
      return false;
    };
    await life.pump.run();
    expect((await life.snapshot()).queue.halt).toBeNull();
  });
});

describe('nothing to do', () => {
  test.each([
    ['nothing waits', async () => {}],
    ['there is no connection', (life: Life) => life.connect(null)],
  ])('because %s lets the background sleep', async (_name, prepare) => {
    const life = await connected();
    await prepare(life);
    await life.pump.run();
    expect([life.slept, life.sent.length, life.wakes.length]).toEqual([1, 0, 0]);
  });

  test('because the network is away wakes to see whether it is back', async () => {
    const life = await connected();
    await life.accept('request-a');
    life.online = false;
    await life.pump.run();
    expect(life.wakes).toEqual([null]);
    expect(life.sent).toEqual([]);
  });
});

test('a service that answers one request with nonsense for ever does not keep the others', async () => {
  const life = await connected('full');
  await life.accept('request-a');
  const { send } = life;
  life.send = async (attempt, connection) =>
    attempt.requestIds.includes('request-a')
      ? answered([unclear('not_understood')], { conclusive: false })
      : send(attempt, connection);
  await life.pump.run();
  await life.accept('request-b', 'request-c');
  await life.runOut();
  expect(life.sent.map(({ requestIds }) => requestIds.length)).toEqual([1, 1, 1, 2]);
  expect(await life.links()).toEqual(['request-b', 'request-c']);
  expect(await life.requests()).toMatchObject([{ id: 'request-a', state: 'unknown' }]);
  expect(life.told.flatMap(({ stuck }) => stuck)).toMatchObject([{ id: 'request-a' }]);
});
