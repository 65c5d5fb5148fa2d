import { afterEach, describe, expect, test } from 'vitest';
import { sinkAdapter } from '../../../../src/servers/sink.ts';
import { Client } from '../conformance/client.ts';
import { type ConformanceCase, describeConformance } from '../conformance/conformance.ts';
import { FakeSink } from '../fakes/fake-sink.ts';
import { says } from '../misbehaving-server.ts';

const tested: ConformanceCase = {
  adapter: sinkAdapter,
  newFake: () => new FakeSink(),
  pageSize: 100,
  trickyUrls: ['https://example.com/{a}?q=%20|^`#'],
  refusals: [
    {
      name: 'a URL that is not valid',
      given: () => ({ url: 'not a url' }),
      expected: { kind: 'refused', code: 'invalid_url' },
    },
    {
      name: 'a URL that is too long',
      given: () => ({ url: `https://example.com/${'x'.repeat(2_048)}` }),
      expected: { kind: 'refused', code: 'invalid_url' },
    },
    {
      name: 'a code with other characters',
      given: () => ({ shortCode: 'a_b' }),
      expected: { kind: 'refused', code: 'invalid_short_code', message: 'Validation Error' },
    },
    {
      name: 'every create, until an administrator has migrated the links',
      given: (fake) => {
        Object.assign(fake, { isMigrated: false });
        return {};
      },
      expected: { kind: 'refused_for_now', code: 'busy', message: 'Link migration is required' },
    },
  ],
};

describeConformance(tested);

const URL_A = 'https://example.com/a';

describe('behavior specific to Sink', () => {
  let fake: FakeSink;
  afterEach(() => fake.stop());

  const connect = async (settings: Partial<FakeSink> = {}) => {
    fake = Object.assign(new FakeSink(), settings);
    await fake.start();
    return Client.connect(tested, fake);
  };

  test.each([true, false])('an edit keeps all fields that it does not change (masked password: %s)', async (masks) => {
    const client = await connect({ masksPasswords: masks });
    const others = { comment: 'A comment', unsafe: true };
    const kept = { others, tags: ['one', 'two'], password: 'open sesame' };
    fake.add({ shortCode: 'full', url: URL_A, title: 'Title', expiresAt: fake.now + 86_400_000 });
    Object.assign(fake.links[0] ?? {}, kept);
    const link = { shortCode: 'full', shortUrl: '' };
    const edited = await client.edit(link, { url: `${URL_A}b` });
    expect(edited).toMatchObject({ value: { isRestricted: true } });
    const expiresAt = fake.now + 86_400_000;
    expect(fake.links).toMatchObject([{ ...kept, url: `${URL_A}b`, title: 'Title', expiresAt }]);
  });

  test('a code whose short URL shows a page of the server cannot be chosen', async () => {
    const pattern = (await connect()).capabilities.ownCode;
    expect(['dashboard', 'dashboards', 'my-dashboard'].filter((code) => pattern?.test(code))).toHaveLength(2);
  });

  test('two identical creates at the same time make one link', async () => {
    const client = await connect({ insertDelayMs: 30 });
    const attempt = client.attempt([{ url: URL_A, ...client.withCode(1) }]);
    const results = await Promise.all([client.send(attempt), client.send(attempt)]);
    for (const { items } of results) expect(items).toMatchObject([{ kind: 'created' }]);
    expect(fake.links).toHaveLength(1);
  });

  test('a code with capital letters belongs to the link whose code the server stored in lower case', async () => {
    const client = await connect();
    fake.add({ shortCode: 'mixed', url: URL_A });
    const mixed = { shortCode: 'Mixed', shortUrl: '' };
    expect(await client.edit(mixed, { title: 'New' })).toMatchObject({ value: { shortCode: 'mixed', title: 'New' } });
    expect(await client.find(client.attempt([{ url: URL_A, shortCode: 'Mixed' }]))).toMatchObject({ state: 'found' });
  });

  test('a refusal of Cloudflare Access counts as a problem of the key', async () => {
    const client = await connect();
    fake.gateway = says(403, { error: true, url: '/', statusCode: 403, statusMessage: 'Forbidden', message: '' });
    const { items } = await client.send(client.attempt([{ url: URL_A, ...client.withCode(1) }]));
    expect(items).toMatchObject([{ kind: 'refused', code: 'forbidden' }]);
    expect(await client.probe()).toMatchObject({ key: 'forbidden' });
  });
});
