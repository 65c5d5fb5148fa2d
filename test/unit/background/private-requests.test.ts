import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { PrivateCommand } from '../../../src/messages/protocol.ts';
import type { Connection, Queue } from '../../../src/queue/types.ts';
import { reconnected, setPaused } from '../../../src/queue/user-actions.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { DEFAULT_SETTINGS, writeSettings } from '../../../src/storage/settings.ts';
import { addLinks, aLink } from '../storage/stored.ts';
import { everythingOnDisk, freshDisk } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';
import { answeredBy, connected, FULL, lost, NOW, refusedAs, SPEC_ONLY, type TestWorker } from '../support/worker.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const URL = 'https://hidden.example/page';
/** A server on which a repeated request may create a second link, unless the first link is looked for. */
const KUTT: Connection = { ...FULL, kind: 'kutt' };
let worker: TestWorker;

beforeEach(async () => {
  freshDisk();
  worker = await connected('full');
});

const commandOf = (part: Partial<PrivateCommand> = {}): PrivateCommand => ({
  ...{ id: 'p', url: URL, title: 'Hidden', connectionId: 'c', options: null, anew: false, at: NOW },
  ...part,
});
const shorten = (part?: Partial<PrivateCommand>) =>
  worker.shortenPrivately({ type: 'shorten-privately', ...commandOf(part) });
const bytes = () => worker.sent.map(({ idempotencyKey, path, body }) => ({ idempotencyKey, path, body }));
const change = (rule: (queue: Queue) => Queue) =>
  worker.store.update('c', (queue) => ({ queue: rule(queue), result: null }));

async function onDisk(): Promise<string> {
  const database = await openDatabase();
  const all = JSON.stringify(await everythingOnDisk(database));
  database.close();
  return `${all} ${browser.storage.local.dump()} ${browser.storage.session.dump()}`;
}

describe('a request from a private window', () => {
  test('is sent at once, and only its time is stored, before it is sent', async () => {
    worker.send = async (attempt) => {
      expect((await worker.queue()).limits.sends).toEqual([NOW]);
      expect(await onDisk()).not.toContain('idden');
      return answeredBy(attempt, { kind: 'created', shortUrl: 'https://s.example/hidden' });
    };
    const link = { id: 'p', url: URL, shortUrl: 'https://s.example/hidden' };
    expect(await shorten()).toMatchObject({ ok: true, value: { link, isNew: true } });
    expect(await onDisk()).not.toContain('idden');
    expect(await worker.queue()).toMatchObject({ requests: [], limits: { sends: [NOW] } });
  });

  test('contains no title of its page', async () => {
    await writeSettings({ ...DEFAULT_SETTINGS, saveTitles: true });
    await shorten();
    expect(worker.sent[0]?.body).not.toContain('Hidden');
  });

  test('reuses a stored link of an earlier page, unless the user wants another one', async () => {
    await addLinks(worker.store, [aLink('known', { url: URL })]);
    expect(await shorten()).toMatchObject({ value: { link: { id: 'known' }, isNew: false } });
    expect(worker.sent).toEqual([]);
    expect(await shorten({ anew: true })).toMatchObject({ value: { isNew: true } });
  });

  test('waits for the gap after the last send, and the queue waits for it', async () => {
    await worker.accept('a');
    await worker.runner.run();
    await Promise.all([shorten(), worker.accept('b')]);
    await worker.runOut();
    const { sends } = (await worker.queue()).limits;
    expect(sends).toHaveLength(3);
    for (const [n, at] of sends.entries()) if (n > 0) expect(at - (sends[n - 1] ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  describe('checks after the wait', () => {
    const during = async (rule: () => unknown) => {
      await worker.accept('a');
      await worker.runner.run();
      worker.wait = async (ms) => {
        worker.pass(ms);
        await rule();
      };
      return shorten();
    };

    test('that the queue is not paused', async () => {
      expect(await during(() => change((queue) => setPaused(queue, true)))).toEqual({ ok: false, code: 'paused' });
      expect(worker.sent).toHaveLength(1);
    });

    test('that the extension still has access to the server', async () => {
      const remove = () => Object.assign(worker, { permitted: async () => false });
      expect(await during(remove)).toEqual({ ok: false, code: 'no_permission' });
    });
  });

  test('does not change the state of a connection that has another key by the time of its answer', async () => {
    worker.send = async (attempt) => {
      await change((queue) => reconnected(queue, queue.connection));
      return refusedAs(attempt, 'unauthorized');
    };
    expect(await shorten()).toMatchObject({ value: { problem: { code: 'unauthorized' } } });
    expect((await worker.queue()).state.blocked).toBeNull();
  });

  test('and the queue are never sent at the same time', async () => {
    let open = 0;
    worker.send = async (attempt) => {
      open += 1;
      expect(open).toBe(1);
      await new Promise((resolve) => setTimeout(resolve));
      open -= 1;
      return answeredBy(attempt, { kind: 'created', shortUrl: `https://s.example/${attempt.requestIds[0]}` });
    };
    await worker.accept('a', 'b');
    await Promise.all([worker.runner.run(), shorten(), shorten({ id: 'q', url: `${URL}/q` })]);
    await worker.runOut();
    expect(worker.sent.length).toBeGreaterThanOrEqual(3);
  });
});

describe('a request from a private window is refused without a send', () => {
  const refusal = async () => {
    const reply = await shorten();
    expect(worker.sent).toEqual([]);
    return reply;
  };

  test.each<[string, () => unknown, string]>([
    [
      'if the daily quota is used up',
      () => change((queue) => ({ ...queue, limits: { ...queue.limits, perDay: 1, sends: [NOW] } })),
      'quota_used',
    ],
    [
      'if the daily quota is used up and the server was down before',
      () =>
        change((queue) => ({
          ...queue,
          state: { ...queue.state, wait: { until: NOW, reason: 'unreachable', named: false } },
          limits: { ...queue.limits, perDay: 1, sends: [NOW] },
        })),
      'quota_used',
    ],
    [
      'if the server asked for a long wait',
      () => {
        const wait = { until: NOW + 60_000, reason: 'throttle', named: true } as const;
        return change((queue) => ({ ...queue, state: { ...queue.state, wait } }));
      },
      'try_later',
    ],
    ['if the user paused the queue', () => change((queue) => setPaused(queue, true)), 'paused'],
    ['without a network', () => Object.assign(worker, { online: false }), 'offline'],
    ['without access to the server', () => Object.assign(worker, { permitted: async () => false }), 'no_permission'],
  ])('%s', async (_why, given, code) => {
    await given();
    expect(await refusal()).toEqual({ ok: false, code });
  });

  test('if the server refused the key before', async () => {
    await change((queue) => ({ ...queue, state: { ...queue.state, blocked: 'unauthorized' } }));
    expect(await refusal()).toMatchObject({ value: { problem: { code: 'unauthorized' } } });
  });
});

describe('a failed request from a private window', () => {
  test('is not repeated automatically', async () => {
    await writeSettings({ ...DEFAULT_SETTINGS, expiry: 'day' });
    worker.send = async (attempt) => lost(attempt);
    expect(await shorten()).toMatchObject({ value: { problem: { code: 'no_answer' }, isUncertain: false } });
    await worker.runOut();
    worker.pass(3_600_000);
    await worker.runOut();
    expect(worker.sent).toHaveLength(1);
  });

  test('sends the same bytes to the same server when the user tries again later', async () => {
    await writeSettings({ ...DEFAULT_SETTINGS, expiry: 'day' });
    const answered = worker.send;
    worker.send = async (attempt) => lost(attempt);
    await shorten();
    worker.send = answered;
    worker.pass(60_000);
    await worker.connect({ ...FULL, id: 'd', baseUrl: 'https://d.example', preferredAt: 9 });
    expect(await shorten()).toMatchObject({ value: { isNew: true } });
    const [first, second] = bytes();
    expect(second).toEqual(first);
    expect(worker.sent.map(({ baseUrl }) => baseUrl)).toEqual([FULL.baseUrl, FULL.baseUrl]);
  });

  test.each<[string, Connection]>([
    ['key or address', { ...FULL, revision: 1 }],
    ['kind of server', KUTT],
    ['default connection', { ...FULL, id: 'default', preferredAt: 9 }],
  ])('is not repeated with another %s than the user saw', async (_what, connection) => {
    worker.send = async (attempt) => lost(attempt);
    await shorten({ server: FULL });
    await shorten({ server: FULL });
    await worker.connect(connection);
    expect(await shorten({ server: FULL, connectionId: null })).toEqual({ ok: false, code: 'server_changed' });
    expect(worker.sent.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['p', 'p']);
    expect(await shorten({ id: 'q', server: connection, connectionId: null })).toMatchObject({ ok: true });
  });

  test('leaves neither its id nor its code on disk', async () => {
    worker.send = async (attempt) => lost(attempt);
    await shorten({ id: 'secret-id' });
    expect(await onDisk()).not.toContain('secret-id');
  });

  test.each([
    ['recognizes no repeated request', SPEC_ONLY],
    ['must be asked before a request is repeated', KUTT],
  ])('is uncertain if the server %s', async (_what, connection) => {
    await worker.connect(connection);
    worker.send = async (attempt) => lost(attempt);
    expect(await shorten()).toMatchObject({ value: { isUncertain: true } });
  });

  test.each([
    ['throttled', 'try_later'],
    ['busy', 'try_later'],
    ['quota_exceeded', 'quota_used'],
  ] as const)('(%s) says that the user must try again, and the queue waits too', async (code, refusal) => {
    const item = { kind: 'refused_for_now', code, message: '', retryAfterSeconds: 60 } as const;
    worker.send = async (attempt) => answeredBy(attempt, item);
    expect(await shorten()).toEqual({ ok: false, code: refusal });
    expect((await worker.queue()).state.wait).toMatchObject({ until: NOW + 60_000 });
  });

  test('shows why the server refused it', async () => {
    worker.send = async (attempt) => refusedAs(attempt, 'invalid_url');
    expect(await shorten()).toEqual({
      ok: true,
      value: { problem: { code: 'invalid_url', message: '' }, isUncertain: false, isRefused: true },
    });
  });

  test('still gets its link if the database cannot be written after the send', async () => {
    worker.send = async (attempt) => {
      vi.spyOn(worker.store, 'update').mockRejectedValueOnce(new DOMException('', 'AbortError'));
      return answeredBy(attempt, { kind: 'created', shortUrl: 'https://s.example/made' });
    };
    expect(await shorten()).toMatchObject({ value: { link: { shortUrl: 'https://s.example/made' } } });
  });

  test('does not block its queue if another kind of server refused it meanwhile', async () => {
    worker.send = async (attempt) => {
      await change((queue) => reconnected(queue, { ...queue.connection, kind: 'kutt' }));
      return refusedAs(attempt, 'redirected');
    };
    await change((queue) => ({ ...queue, connection: { ...queue.connection, service: null, lastSeenWellAt: null } }));
    await shorten();
    expect((await worker.queue()).state.blocked).toBeNull();
  });

  test('still gets its link if the connection was removed meanwhile', async () => {
    worker.send = async (attempt) => {
      await worker.store.updateAll((all) => ({ all: { ...all, queues: [] }, result: null }));
      return answeredBy(attempt, { kind: 'created', shortUrl: 'https://s.example/late' });
    };
    expect(await shorten()).toMatchObject({ value: { link: { shortUrl: 'https://s.example/late' } } });
    expect(await worker.links()).toEqual([]);
  });
});
