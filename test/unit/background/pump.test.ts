import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Outcome } from '../../../src/queue/outcome.ts';
import { answered, created, fullService, lost, NO_LIMITS, NOW, specOnly } from '../queue/given.ts';
import { freshDisk } from '../support/disk.ts';
import { connected, Life, later } from './life.ts';

vi.mock('webextension-polyfill', () => import('../support/fake-browser.ts'));

beforeEach(freshDisk);

describe('sending', () => {
  test('turns what waits into links, one after the other, a second apart', async () => {
    const life = await connected();
    await life.accept('request-a', 'request-b');
    await life.pump.run();
    expect(await life.links()).toEqual(['request-a']);
    expect(life.wakes.at(-1)).toBe(NOW + 1_000);
    await life.runOut();
    expect(await life.links()).toEqual(['request-a', 'request-b']);
    expect(await life.requests()).toEqual([]);
    expect(life.slept).toBeGreaterThan(0);
  });

  test('is committed, budget and all, before anything leaves', async () => {
    const life = await connected();
    await life.accept('request-a');
    life.send = async () => {
      const { requests, queue, budget } = await new Life().snapshot();
      expect(requests).toMatchObject([{ state: 'sending', attempts: 1 }]);
      expect(queue.attempt).toMatchObject({ inFlight: true });
      expect(budget?.sends).toHaveLength(1);
      return answered([created()]);
    };
    await life.pump.run();
    expect(life.sent).toHaveLength(1);
    expect(await life.links()).toEqual(['request-a']);
  });

  test('takes all that wait together where the service takes batches', async () => {
    const life = await connected('full');
    await life.accept('request-a', 'request-b', 'request-c');
    await life.pump.run();
    expect(life.sent.map(({ path }) => path)).toEqual(['/api/v1/urls/batch']);
    expect(await life.links()).toHaveLength(3);
  });

  test('is done once however many ask for it at one time', async () => {
    const life = await connected();
    await life.accept('request-a');
    const answer = later<Outcome>();
    life.send = () => answer.promise;
    const runs = [life.pump.run(), life.pump.run()];
    await vi.waitFor(() => expect(life.sent).toHaveLength(1));
    runs.push(life.pump.run());
    answer.resolve(answered([created()]));
    await Promise.all(runs);
    expect(life.sent).toHaveLength(1);
  });

  test('takes up what was accepted while another was being sent', async () => {
    const life = await connected();
    await life.accept('request-a');
    life.send = async ({ requestIds }) => {
      if (requestIds.includes('request-a')) await life.accept('request-b');
      life.pass(5_000);
      return answered([created()]);
    };
    await life.runOut();
    expect(life.sent.map(({ requestIds }) => requestIds)).toEqual([['request-a'], ['request-b']]);
  });

  test.each(Array.from({ length: 24 }, (_, ticks) => ticks))(
    'is not missed by a caller who comes %d microtasks after the last step of a run',
    async (ticks) => {
      const life = await connected();
      await life.accept('request-a');
      life.online = false;
      const called = later<void>();
      life.woken = async () => {
        for (let n = 0; n < ticks; n += 1) await Promise.resolve();
        life.online = true;
        life.woken = async () => {};
        called.resolve(life.pump.run());
      };
      await life.pump.run();
      await called.promise;
      expect(await life.links()).toEqual(['request-a']);
    },
  );

  test('has an alarm behind it: a background that dies on the way wakes again', async () => {
    const life = await connected();
    await life.accept('request-a');
    life.send = async () => {
      expect(life.wakes).toEqual([life.time.now + 30_000, life.time.now + 30_000]);
      return answered([created()]);
    };
    await life.pump.run();
    expect(life.sent).toHaveLength(1);
  });
});

describe('a look', () => {
  test('comes before the first send to a service where a lost answer is a question', async () => {
    const life = await connected();
    await life.accept('request-a');
    await life.pump.run();
    expect([life.looks.length, life.sent.length]).toEqual([1, 1]);
  });

  test('that finds nobody sends nothing: the request waits and nothing is charged', async () => {
    const life = await connected();
    await life.accept('request-a');
    life.look = async () => ({ told: null, service: null });
    await life.pump.run();
    expect(life.sent).toEqual([]);
    expect(await life.requests()).toMatchObject([{ state: 'waiting' }]);
    expect(await life.snapshot()).toMatchObject({ budget: { sends: [] }, queue: { pause: { reason: 'unreachable' } } });
  });

  test('that finds a service document learns what the service can', async () => {
    const life = await connected();
    await life.accept('request-a', 'request-b');
    life.look = async () => ({ told: { date: NOW, limits: NO_LIMITS }, service: fullService().service });
    await life.pump.run();
    expect(life.sent.map(({ path }) => path)).toEqual(['/api/v1/urls/batch']);
  });

  test('at a connection that is replaced meanwhile says nothing of the new one', async () => {
    const life = await connected();
    await life.accept('request-a');
    life.look = async () => {
      const quota = { limit: 1, windowSeconds: 3_600, remaining: 0, resetSeconds: 3_600 };
      if (life.looks.length === 1) await life.connect({ ...specOnly, id: 'other' });
      return { told: { date: NOW, limits: { throttle: null, quota } }, service: fullService().service };
    };
    life.send = async () => answered([created()]);
    await life.pump.run();
    expect(life.looks).toEqual(['c', 'other']);
    expect((await life.snapshot()).budget?.connectionId).toBe('other');
  });
});

describe('an answer shows that somebody is there', () => {
  test('so the next send needs no look, and a lost one shows nothing', async () => {
    const life = await connected();
    await life.accept('request-a', 'request-b', 'request-c');
    const looksBefore: number[] = [];
    life.send = async () => {
      looksBefore.push(life.looks.length);
      life.pass(10_000);
      return life.sent.length === 1 ? answered([created()]) : lost();
    };
    await life.runOut();
    expect(looksBefore).toEqual([1, 1, 2]);
  });
});

describe('between the plan and the send', () => {
  test('a request that is given up is not sent', async () => {
    const life = await connected('full');
    await life.accept('request-a');
    life.permitted = async () => {
      await life.wishes.cancel('request-a');
      return true;
    };
    await life.pump.run();
    expect(life.sent).toEqual([]);
    expect(life.slept).toBe(1);
  });

  test('a request that is accepted goes along in the batch', async () => {
    const life = await connected('full');
    await life.accept('request-a');
    life.permitted = async () => {
      await life.accept('request-b');
      return true;
    };
    await life.pump.run();
    expect(life.sent.map(({ requestIds }) => requestIds)).toEqual([['request-a', 'request-b']]);
  });
});
