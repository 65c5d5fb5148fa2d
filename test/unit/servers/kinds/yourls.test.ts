import { afterEach, describe, expect, test } from 'vitest';
import { detectKind } from '../../../../src/servers/call-server.ts';
import { yourlsAdapter } from '../../../../src/servers/yourls.ts';
import { Client } from '../conformance/client.ts';
import { type ConformanceCase, describeConformance } from '../conformance/conformance.ts';
import { FakeYourls } from '../fakes/fake-yourls.ts';
import { says } from '../misbehaving-server.ts';

const tested: ConformanceCase = {
  adapter: yourlsAdapter,
  newFake: () => new FakeYourls(),
  pageSize: 100,
  probeMethods: ['GET', 'POST'],
  trickyUrls: [
    'https://example.com/a?q={b}^`\\#',
    'https://example.com/?#{c}\\',
    'https://example.com/a?',
    'https://xn--mnchen-3ya.example/a',
    'https://example.com/%7Ba%7D?%C3%BC=%0A%20[1]~|\'"#ü',
  ],
  refusals: [
    {
      name: 'a script',
      given: () => ({ url: 'javascript:alert(1)' }),
      expected: { kind: 'refused', code: 'invalid_url', message: 'Missing or malformed URL' },
    },
    {
      name: 'a short URL of the server',
      given: (fake) => {
        fake.add({ shortCode: 'own', url: 'https://example.com/own' });
        return { url: `${fake.baseUrl}/own` };
      },
      expected: { kind: 'refused', code: 'target_refused' },
    },
    {
      name: 'a URL that the database cannot store, despite the status of a temporary error',
      given: () => ({ url: `https://example.com/${'x'.repeat(66_000)}` }),
      expected: { kind: 'refused', code: 'invalid_url' },
    },
    {
      name: 'a reserved code',
      given: () => ({ shortCode: 'admin' }),
      expected: { kind: 'refused', code: 'short_code_taken' },
    },
  ],
};

describeConformance(tested);
describeConformance({
  ...tested,
  variant: 'version 1.9.2, several links for a URL',
  newFake: () => Object.assign(new FakeYourls(), { version: '1.9.2', isUnique: false }),
});

const URL_A = 'https://example.com/a';

describe('behavior specific to YOURLS', () => {
  let fake: FakeYourls;
  afterEach(() => fake.stop());

  const connect = async (settings: Partial<FakeYourls> = {}) => {
    fake = Object.assign(new FakeYourls(), settings);
    await fake.start();
    return Client.connect(tested, fake);
  };

  test.each(['1.9.2', '1.10.5-dev'] as const)(
    'a URL that already has a link gets this link from version %s',
    async (version) => {
      const client = await connect({ version });
      fake.add({ shortCode: 'theirs', url: URL_A, isForeign: true });
      const created = await client.create({ url: URL_A, ...client.withCode(1) });
      expect(created).toEqual({ kind: 'created', shortUrl: `${fake.baseUrl}/theirs` });
      expect(fake.links).toHaveLength(1);
    },
  );

  test.each(['My-Code_9', '0'])(
    'the code %s is not sent, because the link would get another code',
    async (shortCode) => {
      const client = await connect();
      const created = await client.create({ url: URL_A, shortCode });
      expect(created).toMatchObject({ kind: 'refused', code: 'invalid_short_code' });
      expect(fake.links).toEqual([]);
    },
  );

  test.each(['1.9.2', '1.10.5-dev'] as const)('public servers with version %s are recognized', async (version) => {
    await connect({ version });
    expect(await detectKind(fetch, fake.baseUrl, fake.now)).toBe('yourls');
  });

  test('a title is always sent, because the server would otherwise open the page to read a title', async () => {
    const client = await connect();
    await client.create({ url: URL_A, ...client.withCode(1) });
    expect(fake.links).toMatchObject([{ title: 'example.com' }]);
    expect(fake.titleLookUps).toEqual([]);
  });

  test('a link whose URL the server changed does not count as created', async () => {
    const client = await connect();
    const answer = { status: 'success', shorturl: 'https://s.example/a', url: { keyword: 'a', url: `${URL_A}b` } };
    fake.gateway = says(200, answer);
    expect(await client.create({ url: URL_A })).toMatchObject({ kind: 'refused', code: 'target_refused' });
  });

  test('a page without any readable link does not end the list', async () => {
    const client = await connect();
    fake.add({ shortCode: 'oldest', url: URL_A });
    for (let number = 0; number < 100; number += 1) fake.add({ shortCode: `bad${number}`, url: '' });
    const first = await client.list('');
    expect(first).toMatchObject({ value: { links: [], unreadable: 100, nextCursor: '100' } });
    const second = await client.list('100');
    expect(second).toMatchObject({ value: { links: [{ shortCode: 'oldest' }], unreadable: 0, nextCursor: null } });
  });

  test('two identical creates at the same time make one link', async () => {
    const client = await connect({ isUnique: false, insertDelayMs: 30 });
    const attempt = client.attempt([{ url: URL_A, ...client.withCode(1) }]);
    const sent = await Promise.all([client.send(attempt), client.send(attempt)]);
    const results = sent.map(({ items }) => items[0]?.kind);
    expect(results.toSorted()).toEqual(['created', 'unclear']);
    expect(await client.settle(attempt)).toMatchObject({ kind: 'created' });
    expect(fake.links).toHaveLength(1);
  });

  test('a public server limits creates', async () => {
    const client = await connect({ isPrivate: false });
    await client.create({ url: URL_A, ...client.withCode(1) });
    const second = await client.create({ url: `${URL_A}b`, ...client.withCode(2) });
    expect(second).toMatchObject({ kind: 'refused_for_now', code: 'throttled' });
  });

  test('a server that waits for its upgrade creates nothing', async () => {
    const client = await connect();
    fake.needsUpgrade = true;
    expect(await client.create({ url: URL_A, ...client.withCode(1) })).toMatchObject({ kind: 'not_made' });
  });

  test('requests to a server in a folder and its short URLs contain the folder', async () => {
    fake = Object.assign(new FakeYourls(), { basePath: '/go' });
    await fake.start();
    fake.add({ shortCode: 'first', url: URL_A });
    const inFolder = { ...tested, connection: () => ({ baseUrl: `${fake.baseUrl}/go` }) };
    const client = await Client.connect(inFolder, fake);
    expect(client.context.service).toMatchObject({ shortBaseUrl: `${fake.baseUrl}/go` });
    const listed = await client.list('');
    expect(listed).toMatchObject({ value: { links: [{ shortCode: 'first', shortUrl: `${fake.baseUrl}/go/first` }] } });
  });
});
