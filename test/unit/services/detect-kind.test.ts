import { afterEach, describe, expect, test } from 'vitest';
import { detectKind } from '../../../src/services/detect-kind.ts';
import { FakeChhoto } from './chhoto/fake-chhoto.ts';
import type { FakeServer } from './conformance/fake-server.ts';
import { FakeKutt } from './kutt/fake-kutt.ts';
import { MisbehavingServer, says } from './misbehaving-server.ts';
import { FakeShlink } from './shlink/fake-shlink.ts';
import { FakeSink } from './sink/fake-sink.ts';
import { FakeTerse } from './terse/fake-terse.ts';
import { FakeYourls } from './yourls/fake-yourls.ts';

const NOW = Date.UTC(2026, 2, 28, 9, 30);

let fake: FakeServer | undefined;
afterEach(async () => {
  await fake?.stop();
  fake = undefined;
});

describe('the kind of a server', () => {
  test.each<[string, () => FakeServer, string | null]>([
    ['Kutt', () => new FakeKutt(), 'kutt'],
    ['YOURLS', () => new FakeYourls(), 'yourls'],
    ['Sink', () => new FakeSink(), 'sink'],
    ['Shlink', () => new FakeShlink(), 'shlink'],
    ['chhoto-url', () => new FakeChhoto(), 'chhoto'],
    ['Terse, which only its service document shows,', () => new FakeTerse(), null],
  ])('%s is found without the API key, and nothing is created or counted', async (_name, newFake, kind) => {
    fake = newFake();
    await fake.start();
    fake.add({ shortCode: 'api', url: 'https://example.com/' });
    expect(await detectKind(fetch, fake.baseUrl, NOW)).toBe(kind);
    expect(fake.links).toMatchObject([{ clicks: 0 }]);
    for (const { method, headers, path } of fake.heard) {
      expect(method).toBe('GET');
      expect(`${path} ${JSON.stringify(headers)}`).not.toContain(fake.apiKey);
    }
    if (fake instanceof FakeShlink) expect(fake.orphanVisits).toEqual([]);
  });

  test.each([
    ['a website', says(200, '<h1>Welcome</h1>')],
    ['JSON for every path', says(200, { status: 'pass', links: {}, name: 'Sink' })],
    ['an error for every path', says(500, { status: 'fail' })],
    ['a redirect for every path', says(302, '', { location: '/elsewhere' })],
  ])('is not found behind %s', async (_name, manner) => {
    const server = new MisbehavingServer();
    server.manner = manner;
    expect(await detectKind(fetch, await server.start(), NOW)).toBeNull();
    await server.stop();
  });
});
