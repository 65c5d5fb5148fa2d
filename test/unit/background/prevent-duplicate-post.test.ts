import { beforeEach, describe, expect, test, vi } from 'vitest';
import { freshDisk } from '../support/disk.ts';
import { browser, type HeaderRule } from '../support/fake-browser.ts';
import { connected, FULL, SPEC_ONLY, WELL } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const PLAIN = { name: 'Plain', shortBaseUrl: 'https://s.example', features: [] };

let disableKeepAlive: (baseUrl: string) => Promise<void>;
const { declarativeNetRequest } = browser;
const rules = (): Promise<HeaderRule[]> => declarativeNetRequest.getSessionRules();

/** A new background worker has no network rules. */
beforeEach(async () => {
  freshDisk();
  vi.resetModules();
  ({ disableKeepAlive: disableKeepAlive } = await import('../../../src/background/prevent-duplicate-post.ts'));
});

describe('closing the connections to a service', () => {
  test('sets `Connection: close` on all requests of the background to that origin, and on no others', async () => {
    await disableKeepAlive('https://a.example/base');
    expect(await rules()).toEqual([
      {
        id: 1,
        action: {
          type: 'modifyHeaders',
          requestHeaders: [{ header: 'Connection', operation: 'set', value: 'close' }],
        },
        condition: { urlFilter: '|https://a.example/', tabIds: [-1], resourceTypes: ['xmlhttprequest', 'other'] },
      },
    ]);
  });

  test('creates one rule per origin, even if several callers ask at the same time', async () => {
    await Promise.all(
      ['https://a.example', 'https://b.example/x', 'https://a.example/y', 'https://b.example:8443'].map((url) =>
        disableKeepAlive(url),
      ),
    );
    expect((await rules()).map(({ id, condition }) => [id, condition.urlFilter])).toEqual([
      [1, '|https://a.example/'],
      [2, '|https://b.example/'],
      [3, '|https://b.example:8443/'],
    ]);
  });

  test('finds the rule of an earlier worker', async () => {
    await disableKeepAlive('https://a.example');
    vi.resetModules();
    const next = await import('../../../src/background/prevent-duplicate-post.ts');
    await next.disableKeepAlive('https://b.example');
    await next.disableKeepAlive('https://a.example');
    expect((await rules()).map(({ id }) => id)).toEqual([1, 2]);
  });

  test('reports a failure and can be repeated', async () => {
    declarativeNetRequest.updateSessionRules.mockRejectedValueOnce(new Error('too many rules'));
    const [first, second] = [disableKeepAlive('https://a.example'), disableKeepAlive('https://b.example')];
    await expect(first).rejects.toThrow('too many rules');
    await second;
    await disableKeepAlive('https://a.example');
    expect(await rules()).toHaveLength(2);
  });
});

test('a service that turns out to support idempotency keys gets no rule', async () => {
  const worker = await connected();
  await worker.connect({ ...SPEC_ONLY, serviceReadAt: null });
  await worker.accept('request-a');
  worker.probe = async () => WELL && { ...WELL, service: FULL.service };
  await worker.runOut();
  expect(worker.closed).toEqual([]);
  expect(await worker.links()).toEqual(['request-a']);
});

describe('a service without idempotency keys', () => {
  test('receives no probe and no request before the rule is active', async () => {
    const worker = await connected();
    await worker.accept('request-a');
    const before: string[] = [];
    worker.probe = async () => {
      before.push(`probe after ${worker.closed.length}`);
      return WELL;
    };
    const { send } = worker;
    worker.send = (attempt, destination) => {
      before.push(`send after ${worker.closed.length}`);
      return send(attempt, destination);
    };
    await worker.runOut();
    expect(before).toEqual(['probe after 1', 'send after 2']);
  });

  test('is detected by a first probe and probed again once the rule is active', async () => {
    const worker = await connected();
    await worker.connect({ ...SPEC_ONLY, serviceReadAt: null });
    await worker.accept('request-a');
    const closedBefore: number[] = [];
    worker.probe = async () => {
      closedBefore.push(worker.closed.length);
      return WELL;
    };
    await worker.runOut();
    expect(closedBefore).toEqual([0, 1]);
    expect(await worker.links()).toEqual(['request-a']);
  });

  test("that has lost this feature is probed again, so that no request uses the first probe's socket", async () => {
    const worker = await connected();
    await worker.connect({ ...FULL, serviceReadAt: null });
    await worker.accept('request-a');
    const closedBefore: number[] = [];
    worker.probe = async () => {
      closedBefore.push(worker.closed.length);
      return WELL && { ...WELL, service: PLAIN };
    };
    await worker.runOut();
    expect(closedBefore).toEqual([0, 1]);
    expect(await worker.links()).toEqual(['request-a']);
  });
});
