import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Connections } from '../../../src/background/connections.ts';
import { answered, refused } from '../queue/given.ts';
import { hangsUp, type Manner, MisbehavingServer, says } from '../service/misbehaving-server.ts';
import { freshDisk } from '../support/disk.ts';
import { aWish, Life } from './life.ts';

vi.mock('webextension-polyfill', () => import('../support/fake-browser.ts'));

const DOCUMENT = { name: 'Terse', version: '1', shortBaseUrl: 'https://s.example', features: ['key', 'idempotency'] };
const KEY = {
  name: 'laptop',
  lastFour: 'cdef',
  createdAt: '2026-03-28T09:30:00.000Z',
  throttle: { limit: 2, windowSeconds: 4, remaining: 1, resetSeconds: 0 },
  quota: { limit: 30, windowSeconds: 86_400, remaining: 7, resetSeconds: 60 },
};

let server: MisbehavingServer;
let baseUrl: string;
let life: Life;
let connections: Connections;
let permitted: boolean;

beforeEach(async () => {
  freshDisk();
  server = new MisbehavingServer();
  baseUrl = await server.start();
  life = new Life();
  permitted = true;
  connections = new Connections({
    store: life.store,
    fetch,
    permitted: async () => permitted,
    ready: () => life.pump.recovered(),
    moved: () => {
      life.moves += 1;
    },
  });
});
afterEach(() => server.stop());

function service(document: Manner, key: Manner = says(200, KEY)) {
  server.manners.set('/api', document).set('/api/v1/key', key);
}
const stored = async () => ({ connection: (await life.snapshot()).connection, apiKey: await life.store.apiKey() });
const NOTHING = { connection: null, apiKey: null };

describe('connecting', () => {
  test('keeps address, key and what the service can, and says what was found', async () => {
    service(says(200, DOCUMENT));
    expect(await connections.connect(`${baseUrl}/`, ' key-abcdef ')).toEqual({
      ok: true,
      value: {
        reached: true,
        service: DOCUMENT,
        key: { state: 'accepted', name: 'laptop', quota: KEY.quota, perSecond: 0.5 },
      },
    });
    const { version: _, ...kept } = DOCUMENT;
    expect(await stored()).toMatchObject({
      connection: { baseUrl, lastFour: 'cdef', service: kept },
      apiKey: 'key-abcdef',
    });
    expect(life.moves).toBe(1);
  });

  test('tells nothing of a key so short that four characters would tell most of it', async () => {
    service(says(404));
    await connections.connect(baseUrl, 'hunter2');
    expect((await stored()).connection).toMatchObject({ lastFour: '' });
  });

  test('learns the budget that is left', async () => {
    service(says(200, DOCUMENT));
    await connections.connect(baseUrl, 'key-abcdef');
    const { budget } = await life.snapshot();
    expect(budget).toMatchObject({ gapMs: 2_000, quota: { limit: 30 }, told: { remaining: 7 } });
  });

  test('keeps a service that has the specification alone', async () => {
    service(says(404));
    expect(await connections.connect(baseUrl, 'key-abcdef')).toEqual({
      ok: true,
      value: { reached: true, service: null, key: { state: 'untested' } },
    });
    expect(await stored()).toMatchObject({ connection: { baseUrl, service: null }, apiKey: 'key-abcdef' });
  });

  test('keeps a service that is out of reach, and says that it is', async () => {
    service(hangsUp);
    const reply = await connections.connect(baseUrl, 'key-abcdef');
    expect(reply).toEqual({ ok: true, value: { reached: false, problem: 'unreachable' } });
    expect(await stored()).toMatchObject({ connection: { baseUrl, service: null }, apiKey: 'key-abcdef' });
  });

  test('again with a service out of reach forgets nothing of what it can', async () => {
    service(says(200, DOCUMENT));
    await connections.connect(baseUrl, 'key-abcdef');
    service(hangsUp);
    await connections.connect(baseUrl, null);
    expect((await stored()).connection?.service?.name).toBe('Terse');
    await connections.connect(baseUrl, 'another-key');
    expect((await stored()).connection?.service).toBeNull();
  });

  test('keeps no key that the service refuses', async () => {
    service(says(200, DOCUMENT), says(401, { error: 'Who?' }));
    expect(await connections.connect(baseUrl, 'key-abcdef')).toEqual({ ok: false, code: 'invalid_key' });
    expect(await stored()).toEqual(NOTHING);
  });

  test('keeps nothing without permission, and asks nobody', async () => {
    permitted = false;
    expect(await connections.connect(baseUrl, 'key-abcdef')).toEqual({ ok: false, code: 'no_permission' });
    expect(await stored()).toEqual(NOTHING);
    expect(server.heard).toEqual([]);
  });

  test.each(['', '   ', 'two words', 'ключ', 'line\nbreak', 'x'.repeat(513), null])(
    'takes no key that no header can carry (%j)',
    async (key) => {
      expect(await connections.connect(baseUrl, key)).toEqual({ ok: false, code: 'invalid_key' });
      expect(server.heard).toEqual([]);
    },
  );

  test.each(['', 'http://links.example.com', 'ftp://x.example', 'https://me@x.example'])(
    'takes no address like %j',
    async (address) => {
      expect(await connections.connect(address, 'key-abcdef')).toEqual({ ok: false, code: 'invalid_address' });
    },
  );
});

describe('the stored key', () => {
  beforeEach(async () => {
    service(says(200, DOCUMENT));
    await connections.connect(baseUrl, 'key-abcdef');
  });

  test('is used again with its own address', async () => {
    expect(await connections.test(baseUrl, null)).toMatchObject({ value: { key: { state: 'accepted' } } });
    expect(server.heard.at(-1)?.headers.authorization).toBe('Bearer key-abcdef');
  });

  test('is never sent to another address, another port and another path included', async () => {
    const stranger = new MisbehavingServer();
    const strange = await stranger.start();
    stranger.manners.set('/api', says(200, DOCUMENT));
    for (const address of [strange, `${baseUrl}/elsewhere`]) {
      for (const ask of [connections.test, connections.connect]) {
        expect(await ask.call(connections, address, null)).toEqual({ ok: false, code: 'invalid_key' });
      }
    }
    expect(stranger.heard).toEqual([]);
    await stranger.stop();
  });
});

describe('a test of a connection', () => {
  test('stores nothing and spends nothing', async () => {
    service(says(200, DOCUMENT));
    await connections.test(baseUrl, 'key-abcdef');
    expect(await stored()).toEqual(NOTHING);
    expect(server.heard.every(({ method }) => method === 'GET')).toBe(true);
  });

  test('says how many a second the key may send', async () => {
    const throttle = { limit: 3, windowSeconds: 1, remaining: 3, resetSeconds: 0 };
    service(says(200, DOCUMENT), says(200, { ...KEY, throttle }));
    expect(await connections.test(baseUrl, 'key-abcdef')).toMatchObject({ value: { key: { perSecond: 3 } } });
  });

  test('without permission says so', async () => {
    permitted = false;
    expect(await connections.test(baseUrl, 'key-abcdef')).toEqual({
      ok: true,
      value: { reached: false, problem: 'permission' },
    });
  });

  test('of a refused key says so', async () => {
    service(says(200, DOCUMENT), says(403, { error: 'No.' }));
    expect(await connections.test(baseUrl, 'key-abcdef')).toMatchObject({
      value: { reached: true, key: { state: 'refused' } },
    });
  });
});

describe('forgetting', () => {
  test('leaves neither address nor key, and what waits stays', async () => {
    service(says(200, DOCUMENT));
    await connections.connect(baseUrl, 'key-abcdef');
    await life.wishes.shorten(aWish('request-a'));
    expect(await connections.forget()).toEqual({ ok: true, value: null });
    expect(await stored()).toEqual(NOTHING);
    expect(await life.requests()).toMatchObject([{ id: 'request-a', state: 'waiting' }]);
  });
});

describe('the id of a connection', () => {
  test('tells keys and addresses apart, and nothing of the key', async () => {
    service(says(404));
    const ids: (string | undefined)[] = [];
    for (const [address, key] of [
      [baseUrl, 'key-abcdef'],
      [baseUrl, 'key-bbcdef'],
      [`${baseUrl}/path`, 'key-abcdef'],
      [baseUrl, 'key-abcdef'],
    ] as const) {
      await connections.connect(address, key);
      ids.push((await stored()).connection?.id);
    }
    expect(ids[3]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(3);
    expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
  });
});

test('a valid key lets everything go on that the old one was refused for, and costs no unit for each', async () => {
  service(says(200, { ...DOCUMENT, features: ['batch', 'idempotency'] }));
  await connections.connect(baseUrl, 'key-revoked');
  const ids = Array.from({ length: 10 }, (_, n) => `request-${n}`);
  await life.accept(...ids);
  const { send } = life;
  life.send = async ({ requestIds }) => answered(requestIds.map(() => refused('unauthorized')));
  await life.runOut();
  expect(await life.requests()).toHaveLength(10);
  expect(life.sent).toHaveLength(1);

  life.send = send;
  await connections.connect(baseUrl, 'key-abcdef');
  await life.runOut();
  expect((await life.links()).toSorted()).toEqual(ids);
  expect(life.sent.slice(1).map(({ requestIds }) => requestIds.length)).toEqual([1, 9]);
});

test('a valid key lets a request go on that failed alone', async () => {
  service(says(404));
  await connections.connect(baseUrl, 'key-revoked');
  await life.accept('request-a', 'request-b');
  const { send } = life;
  life.send = async () => answered([refused('unauthorized')]);
  await life.runOut();
  expect(await life.requests()).toMatchObject([{ state: 'failed' }, { state: 'waiting' }]);
  life.send = send;
  await connections.connect(baseUrl, 'key-abcdef');
  await life.runOut();
  expect(await life.links()).toEqual(['request-a', 'request-b']);
});
