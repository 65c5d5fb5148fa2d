import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { probeConnection } from '../../../src/background/probe-connection.ts';
import { NO_OPTIONS } from '../../../src/queue/accept.ts';
import { newQueue } from '../../../src/queue/user-actions.ts';
import { findLink, openServer, sendAttempt } from '../../../src/servers/call-server.ts';
import { DAY, HOUR, MINUTE, NOW, SECOND, specOnly } from '../queue/support/queue-builders.ts';
import { type Manner, MisbehavingServer, says } from '../servers/misbehaving-server.ts';
import { connectionsOver } from '../support/connection-commands.ts';
import { freshDisk } from '../support/disk.ts';
import { TestWorker } from '../support/worker.ts';
import { diskNow } from './simulation/disk-now.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const PAGE = '<!doctype html><h1>Blocked</h1>';
const FEATURES = ['idempotency', 'key', 'links', 'chosen-codes'];
const DOCUMENT = {
  name: 'Terse',
  version: '1',
  shortBaseUrl: 'https://s.example',
  features: FEATURES,
  codes: { alphabet: 'abcdefgh', length: 6 },
};
const LIMIT = { limit: 20, windowSeconds: 86_400, remaining: 20, resetSeconds: 60 };
const KEY = { name: 'laptop', throttle: { limit: 1, windowSeconds: 1, remaining: 1, resetSeconds: 0 }, quota: LIMIT };

let server: MisbehavingServer;
let baseUrl: string;
let worker: TestWorker;
/** Time of the browser's alarm. */
let alarm: number | null;
/** Gateway responses to POST requests, by a substring of the long URL. The service answers all other requests. */
let gateway: Map<string, Manner>;
let made: Map<string, string>;

beforeEach(async () => {
  freshDisk();
  server = new MisbehavingServer();
  baseUrl = await server.start();
  worker = overHttp();
  gateway = new Map();
  made = new Map();
  server.manner = dated((response, request) => {
    const { url = '', shortCode = null } = JSON.parse(server.heard.at(-1)?.body || '{}') as Record<string, string>;
    const code = shortCode ?? `c${made.size}`;
    const turnedAway = [...gateway].find(([part]) => url.includes(part));
    if (request.method === 'POST' && turnedAway) return turnedAway[1](response, request);
    if (request.method !== 'POST') return says(404, { error: 'Not found.' })(response, request);
    made.set(code, url);
    says(200, { message: 'ok', shortUrl: `https://s.example/${code}` })(response, request);
  });
});
afterEach(() => server.stop());

/** Creates a background worker that calls the server over HTTP, and that sends accepted requests immediately. */
function overHttp(): TestWorker {
  const made = new TestWorker();
  const server = async () => {
    const { connection } = await made.queue();
    return openServer(fetch, connection, 'the-key', made.now);
  };
  made.sendsAtOnce = true;
  made.wake = async (at) => {
    alarm = at;
  };
  made.whileSleeping = async () => {
    alarm = null;
  };
  made.send = async (attempt) => sendAttempt(await server(), attempt);
  made.lookUp = async (link) => findLink(await server(), link);
  made.probe = async (url, apiKey) => {
    const { connection } = await made.queue();
    return probeConnection(fetch, { connection, baseUrl: url, apiKey, now: made.now });
  };
  return made;
}

/** Adds the test's current time as the `Date` header of a response. */
function dated(manner: Manner): Manner {
  return (response, request) => {
    response.setHeader('date', new Date(worker.now).toUTCString());
    manner(response, request);
  };
}

function answers(path: string, manner: Manner): void {
  server.manners.set(path, dated(manner));
}

async function connect(known: boolean): Promise<void> {
  if (known) {
    answers('/api', says(200, DOCUMENT));
    answers('/api/v1/key', says(200, KEY));
  }
  const { version: _, ...service } = DOCUMENT;
  const read = known ? { service, serviceReadAt: NOW } : {};
  const connection = { ...specOnly, baseUrl, lastSeenWellAt: NOW - HOUR, ...read };
  const all = { queues: [newQueue(connection)], apiKeys: new Map([['c', 'the-key']]) };
  await worker.store.updateAll(() => ({ all, result: null }));
  await worker.runner.run();
}

function orderOf(name: string) {
  const orders = [{ id: name, url: `https://x.example/${name}`, title: '' }];
  const common = { connectionId: 'c', anew: false, source: 'popup' } as const;
  return { ...common, orders, options: NO_OPTIONS };
}

async function shorten(...names: string[]): Promise<void> {
  for (const name of names) {
    await worker.commands.shorten(orderOf(name));
    await worker.runner.run();
  }
}

async function pass(ms: number): Promise<void> {
  const until = worker.now + ms;
  while (worker.now < until) {
    await worker.runner.run();
    worker.now = Math.min(until, Math.max(worker.now + 1, alarm ?? until));
  }
}

const connections = () => connectionsOver(worker, { newId: () => crypto.randomUUID() });

const states = () => diskNow().requests.map(({ id, state, problem }) => `${id} ${state} ${problem?.code ?? ''}`.trim());
const doneIds = () =>
  diskNow()
    .links.map(({ id }) => id)
    .toSorted();
const posts = () => server.heard.filter(({ method }) => method === 'POST');
const queueState = async () => (await worker.store.queue('c'))?.state;

describe.each([
  ['our service', true],
  ['a service that only follows the specification', false],
])('a request that a gateway refuses, at %s', (_name, known) => {
  test.each([
    ['401', says(401, PAGE)],
    ['403', says(403, PAGE)],
    ['404', says(404, PAGE)],
    ['405', says(405, PAGE)],
    ['451', says(451, PAGE)],
    ['a redirect', says(302, PAGE, { location: 'https://filter.example/' })],
  ])('with %s fails after three tries, and the other requests continue', async (_status, manner) => {
    await connect(known);
    gateway.set('bad', manner);
    await shorten('bad', 'good-1', 'good-2');
    await pass(20 * SECOND);
    expect(doneIds()).toEqual(['good-1', 'good-2']);
    expect(states()).toEqual(['bad waiting gateway_refused']);
    expect((await queueState())?.blocked).toBeNull();
    await pass(HOUR);
    expect(states()).toEqual(['bad failed gateway_refused']);
    expect(posts().filter(({ body }) => body.includes('/bad'))).toHaveLength(3);
  });

  test('is sent again as soon as the gateway is gone', async () => {
    await connect(known);
    gateway.set('bad', says(403, PAGE));
    await shorten('bad');
    await pass(10 * SECOND);
    gateway.clear();
    await pass(2 * MINUTE);
    expect(doneIds()).toEqual(['bad']);
  });

  test('a server that is unreachable behind a CDN costs at most one request of the daily quota', async () => {
    await connect(known);
    server.manner = dated(says(521, PAGE));
    server.manners.clear();
    await shorten(...Array.from({ length: 10 }, (_, n) => `r${n}`));
    await pass(DAY);
    expect(posts().length).toBeLessThanOrEqual(1);
    expect(states().filter((state) => state.includes('uncertain')).length).toBeLessThanOrEqual(1);
  });
});

test('during maintenance the known service document is kept, and nothing is sent', async () => {
  await connect(true);
  answers('/api', says(200, PAGE));
  answers('/api/v1/key', says(200, PAGE));
  worker.now += 2 * DAY;
  await shorten('r0', 'r1');
  await pass(HOUR);
  expect(posts()).toEqual([]);
  expect((await worker.store.queue('c'))?.connection.service?.features).toEqual(FEATURES);
  answers('/api', says(200, DOCUMENT));
  answers('/api/v1/key', says(200, KEY));
  await pass(10 * MINUTE);
  expect(doneIds()).toEqual(['r0', 'r1']);
});

test('a known service with an unreadable document ends the delay after the connection is saved and its test succeeds', async () => {
  await connect(true);
  answers('/api', says(404, PAGE));
  answers('/api/v1/key', says(404, PAGE));
  worker.now += 2 * DAY;
  await shorten('r0');
  await pass(MINUTE);
  expect((await queueState())?.wait?.reason).toBe('unreachable');
  answers('/api/v1/key', says(404, { error: 'Not found.' }));
  const reply = await connections().save({ connectionId: 'c', name: '', baseUrl, apiKey: null });
  expect(reply).toMatchObject({ ok: true, value: { reached: true } });
  await pass(SECOND);
  expect(doneIds()).toEqual(['r0']);
});

describe('a key that may not create links', () => {
  const refusal = says(403, { error: 'This key has no scope "create".', code: 'forbidden' });

  test.each([
    ['whose document lacks the scope', { ...KEY, scopes: ['read'] }],
    ['whose document has no scopes', KEY],
  ])('%s blocks the queue with the first send', async (_name, key) => {
    await connect(true);
    gateway.set('r', refusal);
    answers('/api/v1/key', says(200, key));
    await shorten('r0', 'r1');
    await pass(DAY);
    expect(posts()).toHaveLength(1);
    expect((await queueState())?.blocked).toBe('forbidden');
    expect(states()[0]).toBe('r0 waiting forbidden');
    gateway.clear();
    answers('/api/v1/key', says(200, { ...KEY, scopes: ['create'] }));
    await worker.commands.tryNow('c');
    await pass(10 * SECOND);
    expect(doneIds()).toEqual(['r0', 'r1']);
  });
});

test('a refused request with an accepted key does not fail because of the key', async () => {
  await connect(true);
  gateway.set('bad', says(401, { error: 'Who?', code: 'unauthorized' }));
  await shorten('bad');
  await pass(DAY);
  expect(states()).toEqual(['bad failed refused']);
});

test("a gateway's rate limit delays the request, but the gateway's counts are ignored", async () => {
  await connect(false);
  await shorten('r0');
  await pass(SECOND);
  const before = (await worker.store.queue('c'))?.limits;
  gateway.set('r1', (response, request) => {
    const headers = {
      date: new Date(worker.now + 3 * DAY).toUTCString(),
      'retry-after': '30',
      'ratelimit-policy': '"day";q=9000;w=86400',
      ratelimit: '"day";r=9000;t=60',
    };
    says(429, PAGE, headers)(response, request);
  });
  await shorten('r1');
  await pass(10 * SECOND);
  const after = (await worker.store.queue('c'))?.limits;
  expect(states()).toEqual(['r1 waiting throttled']);
  expect(after?.perDay).toEqual(before?.perDay);
  expect(after?.reported).toEqual(before?.reported);
  gateway.clear();
  await pass(30 * SECOND);
  expect(doneIds()).toEqual(['r0', 'r1']);
});

test('a page in place of all responses makes one request uncertain, and the others wait', async () => {
  await connect(false);
  server.manner = dated(says(200, PAGE));
  await shorten('r0', 'r1', 'r2');
  await pass(HOUR);
  expect(posts()).toHaveLength(1);
  expect(states()).toEqual(['r0 uncertain not_understood', 'r1 waiting', 'r2 waiting']);
  expect((await queueState())?.wait?.reason).toBe('unreachable');
  await worker.commands.tryNow('c');
  await pass(HOUR);
  expect(posts()).toHaveLength(2);
  server.manner = dated((response, request) => {
    const isPost = request.method === 'POST';
    says(isPost ? 200 : 404, isPost ? { shortUrl: `https://s.example/${posts().length}` } : PAGE)(response, request);
  });
  await pass(10 * MINUTE);
  expect(doneIds()).toEqual(['r2']);
});

describe('a service that has not created a link yet', () => {
  const fresh = async () => {
    await connect(false);
    await worker.store.update('c', (queue) => ({
      queue: { ...queue, connection: { ...queue.connection, lastSeenWellAt: null } },
      result: null,
    }));
  };

  test.each([
    ['404', says(404, PAGE), 'not_a_service'],
    ['405', says(405, PAGE), 'not_a_service'],
    ['a redirect', says(302, PAGE, { location: 'https://filter.example/' }), 'redirected'],
  ])('is blocked after three responses of a gateway (%s), but not after one', async (_name, manner, reason) => {
    await fresh();
    gateway.set('bad', manner);
    await shorten('bad');
    await pass(10 * SECOND);
    expect(states()).toEqual(['bad waiting gateway_refused']);
    expect((await queueState())?.blocked).toBeNull();
    await shorten('good');
    await pass(10 * SECOND);
    expect(doneIds()).toEqual(['good']);
    await worker.store.update('c', (queue) => ({
      queue: { ...queue, connection: { ...queue.connection, lastSeenWellAt: null } },
      result: null,
    }));
    await pass(HOUR);
    expect(posts().filter(({ body }) => body.includes('/bad'))).toHaveLength(3);
    expect((await queueState())?.blocked).toBe(reason);
  });
});

test.each([
  ['a page', says(400, PAGE)],
  ['JSON', says(400, { message: 'Bad Request' })],
])(
  "a gateway's 400 (%s) after a lost answer does not end the request or cause a second link",
  async (_name, manner) => {
    await connect(true);
    let posted = 0;
    gateway.set('page', (response, request) => {
      posted += 1;
      if (posted === 2) return manner(response, request);
      const { url, shortCode } = JSON.parse(server.heard.at(-1)?.body ?? '{}');
      made.set(shortCode, url);
      if (posted === 1) return void response.destroy();
      says(201, { shortUrl: `https://s.example/${shortCode}` })(response, request);
    });
    await shorten('page');
    await pass(DAY);
    expect(doneIds()).toEqual(['page']);
    expect(new Set(posts().map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(made.size).toBe(1);
  },
);

test('a request that a gateway refuses after a lost answer keeps its key, however often the user tries again', async () => {
  await connect(true);
  let posted = 0;
  let isBlocked = true;
  gateway.set('page', (response, request) => {
    posted += 1;
    if (posted > 1 && isBlocked) return says(403, PAGE)(response, request);
    const { url, shortCode } = JSON.parse(server.heard.at(-1)?.body ?? '{}');
    made.set(shortCode, url);
    if (posted === 1) return void response.destroy();
    says(201, { shortUrl: `https://s.example/${shortCode}` })(response, request);
  });
  await shorten('page');
  await pass(3 * DAY);
  expect(states()).toEqual(['page uncertain gateway_refused']);
  await worker.commands.retry('page');
  await pass(3 * DAY);
  expect(states()).toEqual(['page failed gateway_refused']);
  isBlocked = false;
  await worker.commands.retry('page');
  await pass(DAY);
  expect(doneIds()).toEqual(['page']);
  expect(new Set(posts().map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(made.size).toBe(1);
});

test.each([408, 503, 530])(
  "a gateway's %d makes the request uncertain at a service without idempotency keys",
  async (status) => {
    await connect(false);
    gateway.set('bad', says(status, PAGE));
    await shorten('bad', 'good');
    await pass(DAY);
    expect(doneIds()).toEqual(['good']);
    expect(posts().filter(({ body }) => body.includes('/bad'))).toHaveLength(1);
    expect(states()).toEqual(['bad uncertain server_error']);
  },
);

test('a refused URL in a batch does not block the queue', async () => {
  await connect(true);
  const features = [...FEATURES, 'batch', 'item-idempotency'];
  answers('/api', says(200, { ...DOCUMENT, features }));
  await connections().save({ connectionId: 'c', name: '', baseUrl, apiKey: null });
  answers('/api/v1/urls/batch', (response, request) => {
    const { urls } = JSON.parse(server.heard.at(-1)?.body ?? '{}');
    const results = urls.map(({ url }: { url: string }, index: number) =>
      url.includes('bad')
        ? { index, status: 403, error: 'No.', code: 'forbidden' }
        : { index, status: 201, link: { shortUrl: `https://s.example/b${index}` } },
    );
    says(207, { results })(response, request);
  });
  const orders = ['bad', 'good-1', 'good-2'].flatMap((name) => orderOf(name).orders);
  await worker.commands.shorten({ ...orderOf('bad'), orders });
  await pass(MINUTE);
  expect(posts()).toHaveLength(1);
  expect(doneIds()).toEqual(['good-1', 'good-2']);
  expect(states()).toEqual(['bad failed refused']);
  expect((await queueState())?.blocked).toBeNull();
});

describe('a key that the service itself refuses', () => {
  const refusal = says(401, { error: 'Who?', code: 'unauthorized' });

  test('blocks the queue until a test succeeds, if a check of the key confirms the refusal', async () => {
    await connect(true);
    gateway.set('r', refusal);
    answers('/api/v1/key', refusal);
    await shorten('r0', 'r1');
    await pass(MINUTE);
    expect((await queueState())?.blocked).toBe('unauthorized');
    expect(posts()).toHaveLength(1);
    expect(states()).toEqual(['r0 waiting unauthorized', 'r1 waiting']);
    gateway.clear();
    answers('/api/v1/key', says(200, KEY));
    const saved = await connections().save({ connectionId: 'c', name: '', baseUrl, apiKey: null });
    expect(saved).toMatchObject({ ok: true, value: { reached: true } });
    await pass(10 * SECOND);
    expect(doneIds()).toEqual(['r0', 'r1']);
  });
});

describe('a lost response', () => {
  const losesAnswer: Manner = (_response, request) => {
    const { url, shortCode } = JSON.parse(server.heard.at(-1)?.body ?? '{}');
    made.set(shortCode, url);
    request.socket.destroy();
  };
  const linkOf = (code: string) => ({
    shortCode: code,
    shortUrl: `https://s.example/${code}`,
    url: made.get(code),
    title: null,
    createdAt: '2026-03-28T09:30:00.000Z',
    expiresAt: null,
    clicks: 0,
  });

  test("leads to a look-up by the request's short code instead of another send", async () => {
    await connect(true);
    gateway.set('r', losesAnswer);
    const own = server.manner;
    server.manner = (response, request) => {
      const code = request.url?.replace('/api/v1/urls/', '') ?? '';
      (request.method === 'GET' && made.has(code) ? says(200, linkOf(code)) : own)(response, request);
    };
    await shorten('r0');
    await pass(5 * SECOND);
    expect(doneIds()).toEqual(['r0']);
    expect(posts()).toHaveLength(1);
  });

  test('leads to one retry within seconds, and then to growing delays that the user can skip', async () => {
    await connect(true);
    gateway.set('r', losesAnswer);
    await shorten('r0');
    await pass(10 * SECOND);
    expect(posts()).toHaveLength(2);
    await pass(10 * SECOND);
    expect(posts()).toHaveLength(2);
    await worker.commands.tryNow('c');
    await pass(2 * SECOND);
    expect(posts()).toHaveLength(3);
    expect(new Set(posts().map(({ body }) => body)).size).toBe(1);
    gateway.clear();
    await worker.commands.tryNow('c');
    await pass(2 * SECOND);
    expect(doneIds()).toEqual(['r0']);
  });
});
