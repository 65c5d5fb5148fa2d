import { once } from 'node:events';
import { connect } from 'node:net';
import { HEADER } from '@terse/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { createChecker, DOCUMENT, OPERATIONS } from '../support/described.ts';
import { parseAnswer, raw } from '../support/raw.ts';
import { serviceForEach, serviceForFile } from '../support/service.ts';

type Operation = (typeof OPERATIONS)[number];
type Scenario = (asked: Operation) => Promise<Response>;

const terse = serviceForEach();
let key: string;
beforeEach(async () => {
  key = await terse.newKey();
  await create('mine');
});

const impatient = serviceForFile({}, { headers: 50, request: 50, check: 10 });

const check = createChecker(DOCUMENT);
const pathOf = ({ template }: Operation, code = 'mine') => template.replace('{shortCode}', code);
const bodiesOf = ({ operation }: Operation): unknown[] => {
  const schema = operation.requestBody?.content['application/json']?.schema.$ref.split('/').at(-1) ?? '';
  return DOCUMENT.components.schemas[schema]?.examples ?? [];
};

function ask(asked: Operation, init: RequestInit = {}, path = pathOf(asked)): Promise<Response> {
  const [body] = bodiesOf(asked);
  const { method } = asked;
  const json = body ? { body: JSON.stringify(body) } : {};
  const headers = { [HEADER.apiKey]: key, 'Content-Type': 'application/json', ...(init.headers ?? {}) };
  return terse.ask(path, { method, ...json, ...init, headers });
}

async function create(shortCode: string): Promise<void> {
  const create = OPERATIONS.find(({ operation }) => operation.operationId === 'createLink') as Operation;
  await ask(create, { body: JSON.stringify({ url: 'https://example.com/', shortCode }) });
  terse.clock.now += 1000;
}

/** Sends a request that `fetch` does not allow, and validates the response with the OpenAPI document. */
async function askRaw(asked: Operation, lines: string): Promise<Response> {
  const head = `${asked.method} ${pathOf(asked)} HTTP/1.1\r\n`;
  return checked(asked, await raw(terse.service.addresses.api, `${head}${lines}Connection: close\r\n\r\n`));
}

async function checked(asked: Operation, answer: string): Promise<Response> {
  const response = parseAnswer(answer);
  await check(asked.method, pathOf(asked), null, response.clone());
  return response;
}

/** Stops the service during an open request, and then sends another request. */
async function askWhileStopping(asked: Operation): Promise<Response> {
  const { hostname, port } = new URL(terse.service.addresses.api);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  let answers = '';
  socket.on('data', (chunk) => {
    answers += chunk;
  });
  const headers = `Host: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 2`;
  socket.write(`POST /api/shorten HTTP/1.1\r\n${headers}\r\nExpect: 100-continue\r\n\r\n`);
  // "Continue" shows that the service is handling the first request.
  await once(socket, 'data');
  const stopped = terse.service.stop();
  socket.write(`{}${asked.method} ${pathOf(asked)} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`);
  await once(socket, 'close');
  await stopped;
  return checked(asked, answers.split(/(?=HTTP\/1\.1 )/).at(-1) ?? '');
}

async function untilRefused(asked: Operation): Promise<Response> {
  for (;;) {
    const response = await ask(asked);
    if (response.status === 429) return response;
  }
}

const SCENARIOS: Record<number, Scenario> = {
  200: ask,
  201: ask,
  204: ask,
  207: ask,
  400: (asked) => askRaw(asked, 'Host: a b\r\n'),
  401: (asked) => ask(asked, { headers: { [HEADER.apiKey]: '' } }),
  403: async (asked) =>
    ask(asked, {
      headers: { [HEADER.apiKey]: await terse.newKey({ scopes: [asked.method === 'POST' ? 'read' : 'create'] }) },
    }),
  404: (asked) => ask(asked, {}, pathOf(asked, 'nobodys')),
  405: async (asked) => {
    const response = await terse.ask(pathOf(asked), { method: 'PUT' });
    await check(asked.method, pathOf(asked), null, response.clone());
    return response;
  },
  408: async (asked) => {
    const unfinished = `${asked.method} ${pathOf(asked)} HTTP/1.1\r\nHost: x\r\n`;
    return checked(asked, await raw(impatient.service.addresses.api, unfinished));
  },
  409: async (asked) => {
    await ask(asked);
    terse.clock.now += 1000;
    return ask(asked);
  },
  410: async (asked) => {
    await create('ended');
    await terse.store.links.remove(1, ['ended'], terse.clock.now);
    return ask(asked, {}, pathOf(asked, 'ended'));
  },
  413: (asked) => ask(asked, { body: ' '.repeat(70_000) }),
  415: (asked) => ask(asked, { headers: { 'Content-Type': 'text/plain' } }),
  422: async (asked) => {
    const headers = { [HEADER.idempotencyKey]: 'one' };
    await ask(asked, { headers });
    terse.clock.now += 1000;
    return ask(asked, { headers, body: '{}' });
  },
  429: untilRefused,
  431: (asked) => askRaw(asked, `Host: x\r\nX: ${'a'.repeat(70_000)}\r\n`),
  500: async (asked) => {
    await terse.ask('/healthz');
    const { close } = terse.store;
    await close();
    terse.store.close = async () => {};
    return ask(asked);
  },
  503: askWhileStopping,
};

/** Returns the statuses that the service can answer with. */
function statusesOf({ access, template, operation }: Operation): number[] {
  const { responses, requestBody } = operation;
  return [
    ...Object.keys(responses).filter((status) => !status.endsWith('XX')),
    ...[400, 405, 408, 431, 503],
    ...(access === 'open' ? [] : [401, 429, 500]),
    ...(access === 'open' || template === '/api/v1/key' ? [] : [403]),
    ...(template.endsWith('{shortCode}') ? [404, 410] : []),
    ...(requestBody ? [413, 415] : []),
    ...(operation.operationId === 'createLink' ? [409] : []),
    ...(operation.parameters?.some(({ in: location }) => location === 'header') ? [422] : []),
  ].map(Number);
}

describe.each(OPERATIONS)('$name', (asked) => {
  it('has an example of its request body', () => {
    expect(bodiesOf(asked).length > 0).toBe(asked.operation.requestBody !== undefined);
  });

  it.each(statusesOf(asked))('answers %i as in the OpenAPI document', async (status) => {
    expect((await SCENARIOS[status]?.(asked))?.status).toBe(status);
  });

  it.each(bodiesOf(asked).map((body) => [body]))('accepts the example %j', async (body) => {
    expect((await ask(asked, { body: JSON.stringify(body) })).ok).toBe(true);
  });
});
