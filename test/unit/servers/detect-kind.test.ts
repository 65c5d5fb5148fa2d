import { afterEach, describe, expect, test } from 'vitest';
import { SERVICE_KINDS, type ServiceKind } from '../../../src/servers/adapter.ts';
import { detectKind } from '../../../src/servers/call-server.ts';
import { FakeChhoto } from './fakes/fake-chhoto.ts';
import { FakeKutt } from './fakes/fake-kutt.ts';
import type { FakeServer } from './fakes/fake-server.ts';
import { FakeShlink } from './fakes/fake-shlink.ts';
import { FakeSink } from './fakes/fake-sink.ts';
import { FakeTerse } from './fakes/fake-terse.ts';
import { FakeYourls } from './fakes/fake-yourls.ts';
import { hangsUp, says } from './misbehaving-server.ts';

let fake: FakeServer | null = null;
afterEach(() => fake?.stop());

async function started<T extends FakeServer>(server: T): Promise<T> {
  fake = server;
  await server.start();
  return server;
}

const detect = ({ baseUrl, now }: FakeServer) => detectKind(fetch, baseUrl, now);

const FAKES: [ServiceKind | null, () => FakeServer][] = [
  ['kutt', () => new FakeKutt()],
  ['yourls', () => new FakeYourls()],
  ['sink', () => new FakeSink()],
  ['shlink', () => new FakeShlink()],
  ['chhoto', () => new FakeChhoto()],
  [null, () => new FakeTerse()],
  [null, () => new FakeTerse([])],
];

describe('the kind of a server', () => {
  test('is tested for every kind', () => {
    const untested = SERVICE_KINDS.filter((kind) => !FAKES.some(([known]) => known === kind));
    expect(untested).toEqual(['terse', 'specification']);
  });

  test.each(FAKES)('is found without a key, a link or a click: %s', async (kind, newFake) => {
    const server = await started(newFake());
    expect(await detect(server)).toBe(kind);
    expect(server.links).toEqual([]);
    for (const { method, headers, query } of server.heard) {
      expect(method).toBe('GET');
      expect([headers.authorization, headers['x-api-key']]).toEqual([undefined, undefined]);
      expect(`${query}`).not.toContain('key');
    }
  });

  test('is tested for Shlink first, because Shlink counts every other path as a visit', async () => {
    const server = await started(new FakeShlink());
    await detect(server);
    expect(server.heard.map(({ path }) => path)).toEqual(['/rest/health']);
  });

  test.each([
    ['a page', says(200, '<h1>Hello</h1>')],
    ['a redirect', says(302, '', { location: 'https://login.example/' })],
    ['no answer', hangsUp],
    ['an error of a gateway', says(502, '<h1>Bad gateway</h1>')],
    ['a version of something else', says(200, { version: '1.0', name: 'My shortener' })],
    ['a version that is no number', says(200, { version: 'latest' })],
    ['a refusal of another framework', says(403, { statusCode: 403, error: 'Forbidden', message: 'Forbidden' })],
  ])('is unknown behind %s', async (_name, gateway) => {
    const server = await started(new FakeKutt());
    server.gateway = gateway;
    expect(await detect(server)).toBeNull();
  });

  test('is found with one request at a time, so that the browser has only one open connection', async () => {
    const server = await started(new FakeChhoto());
    let [open, most] = [0, 0];
    const counted: typeof fetch = async (...request) => {
      open += 1;
      most = Math.max(most, open);
      const response = await fetch(...request);
      open -= 1;
      return response;
    };
    expect(await detectKind(counted, server.baseUrl, server.now)).toBe('chhoto');
    expect(most).toBe(1);
  });
});
