import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LinkReference } from '../../../../src/servers/adapter.ts';
import { kuttAdapter } from '../../../../src/servers/kutt.ts';
import { Client } from '../conformance/client.ts';
import { type ConformanceCase, describeConformance, type Refusal } from '../conformance/conformance.ts';
import { FakeKutt } from '../fakes/fake-kutt.ts';
import { says } from '../misbehaving-server.ts';

/** Sets up the fake without changing the link. */
function withSettings(settings: Partial<FakeKutt>): Refusal['given'] {
  return (fake) => {
    Object.assign(fake, settings);
    return {};
  };
}

const tested: ConformanceCase = {
  adapter: kuttAdapter,
  newFake: () => new FakeKutt(),
  pageSize: 50,
  trickyUrls: ['https://example.com/{a}?q=%20|^`#'],
  refusals: [
    {
      name: 'a URL without a public host',
      given: () => ({ url: 'http://localhost/a' }),
      expected: { kind: 'refused', code: 'invalid_url', message: 'URL is not valid.' },
    },
    {
      name: 'a URL that is too long',
      given: () => ({ url: `https://example.com/${'x'.repeat(2_040)}` }),
      expected: { kind: 'refused', code: 'refused', message: 'Maximum URL length is 2040.' },
    },
    {
      name: 'a script',
      given: () => ({ url: 'javascript:0' }),
      expected: { kind: 'refused', code: 'target_refused' },
    },
    {
      name: 'a body that is too long',
      given: () => ({ url: `https://example.com/${'x'.repeat(103_000)}` }),
      expected: { kind: 'refused', code: 'refused', message: 'An error occurred.' },
    },
    {
      name: 'a reserved code',
      given: () => ({ shortCode: 'login' }),
      expected: { kind: 'refused', code: 'invalid_short_code' },
    },
    {
      name: 'an expiry in less than a minute',
      given: ({ now }) => ({ expiresAt: new Date(now + 30_000).toISOString() }),
      expected: { kind: 'refused', code: 'refused', message: 'Expire time should be more than 1 minute.' },
    },
    {
      name: 'a banned user',
      given: withSettings({ isBanned: true }),
      expected: { kind: 'refused', code: 'forbidden' },
    },
    {
      name: 'a user without a verified address',
      given: withSettings({ isVerified: false }),
      expected: { kind: 'refused', code: 'forbidden' },
    },
  ],
};

describeConformance(tested);

describeConformance({
  ...tested,
  variant: 'on a domain of the user',
  newFake: () => Object.assign(new FakeKutt(), { domains: ['go.example.org'] }),
  connection: () => ({ domain: 'go.example.org' }),
  refusals: [],
});

describeConformance({
  ...tested,
  variant: 'with MySQL',
  newFake: () => Object.assign(new FakeKutt(), { database: 'mysql' }),
  refusals: [],
});

const URL_A = 'https://example.com/a';

describe('behavior specific to Kutt', () => {
  let fake: FakeKutt;
  let client: Client;

  beforeEach(async () => {
    fake = new FakeKutt();
    await fake.start();
    client = await Client.connect(tested, fake);
  });
  afterEach(() => fake.stop());

  const one = (code: string): LinkReference => ({ shortCode: code, shortUrl: '' });

  test('an edit keeps the password of a link, and the list shows which links have one', async () => {
    fake.add({ shortCode: 'open', url: URL_A });
    fake.add({ shortCode: 'secret', url: URL_A, password: 'open sesame' });
    expect(await client.edit(one('secret'), { title: 'New' })).toMatchObject({ value: { isRestricted: true } });
    expect(fake.links[1]).toMatchObject({ title: 'New', password: 'open sesame' });
    const page = await client.list('');
    const links = 'value' in page ? page.value.links : [];
    expect(links.map(({ isRestricted = false }) => isRestricted)).toEqual([true, false]);
  });

  test('a title that Kutt cannot remove is not reported as removed', async () => {
    fake.add({ shortCode: 'titled', url: URL_A, title: 'Title' });
    const edited = await client.edit(one('titled'), { title: null });
    expect(edited).toMatchObject({ problem: 'refused' });
  });

  test('a repeated create first looks for the link, because parallel creates make two links', async () => {
    const bothChecked = Promise.withResolvers<void>();
    let checks = 0;
    fake.beforeInsert = () => {
      checks += 1;
      if (checks === 2) bothChecked.resolve();
      return bothChecked.promise;
    };
    const blind = client.attempt([{ url: URL_A, ...client.withCode(1) }]);
    await Promise.all([client.send(blind), client.send(blind)]);
    expect(fake.links).toHaveLength(2);

    const attempt = client.attempt([{ url: URL_A, ...client.withCode(2) }]);
    await client.send(attempt);
    expect(await client.settle(attempt)).toMatchObject({ state: 'found' });
    expect(fake.links).toHaveLength(3);
  });

  test('a link with another code or URL is not the requested one', async () => {
    const attempt = client.attempt([{ url: URL_A, ...client.withCode(1) }]);
    await client.send(attempt);
    const [made] = fake.links;
    const record = {
      id: 'x',
      created_at: '2026-03-01T00:00:00.000Z',
      password: false,
      visit_count: 0,
      ...{ address: made?.shortCode, target: URL_A, link: `https://kutt.example/${made?.shortCode}` },
    };
    const send = async (changes: object) => {
      fake.gateway = says(201, { ...record, ...changes });
      return (await client.send(attempt)).items;
    };
    expect(await send({})).toMatchObject([{ kind: 'created' }]);
    expect(await send({ address: 'other', link: 'https://kutt.example/other' })).toMatchObject([{ kind: 'unclear' }]);
    expect(await send({ target: `${URL_A}b` })).toMatchObject([{ kind: 'unclear' }]);
  });

  test('a taken code is not replaced while the links of the user cannot be read', async () => {
    const attempt = client.attempt([{ url: URL_A, ...client.withCode(1) }]);
    await client.send(attempt);
    fake.isListBroken = true;
    expect((await client.send(attempt)).items).toMatchObject([{ kind: 'unclear' }]);
  });

  test('of several links with one code, the oldest one, which redirects, is edited, and all are deleted', async () => {
    fake.add({ shortCode: 'twice', url: URL_A });
    fake.add({ shortCode: 'twice', url: URL_A });
    await client.edit(one('twice'), { url: `${URL_A}b` });
    expect(fake.links.map(({ url }) => url)).toEqual([`${URL_A}b`, URL_A]);
    expect(await client.delete(one('twice'))).toEqual({ value: null });
    expect(fake.links).toEqual([]);
  });

  test('a search skips similar codes, and finds the link behind more than a page of them', async () => {
    const attempt = client.attempt([{ url: URL_A, shortCode: 'a_b' }]);
    fake.add({ shortCode: 'axb', url: 'https://example.com/other' });
    expect(await client.find(attempt)).toEqual({ state: 'absent' });
    fake.add({ shortCode: 'a_b', url: URL_A });
    for (let number = 0; number < 60; number += 1) fake.add({ shortCode: `${number}-a_b`, url: URL_A });
    expect(await client.find(attempt)).toMatchObject({ state: 'found' });
  });

  test('a search with an unreadable record finds nothing, because the record may be the link', async () => {
    const attempt = client.attempt([{ url: URL_A, shortCode: 'wanted' }]);
    fake.add({ shortCode: 'wanted', url: URL_A });
    fake.changeText = (text) => text.replace('"visit_count":0', '"visit_count":-1');
    expect(await client.find(attempt)).toEqual({ state: 'unknown' });
    expect(await client.edit(one('wanted'), { url: `${URL_A}b` })).toMatchObject({ problem: 'not_understood' });
    expect(fake.links).toMatchObject([{ url: URL_A }]);
  });

  test('a search of too many similar codes does not show that no link has the code', async () => {
    const attempt = client.attempt([{ url: URL_A, shortCode: 'a_b' }]);
    const addSimilar = (from: number, to: number) => {
      for (let number = from; number < to; number += 1) fake.add({ shortCode: `${number}-a_b`, url: URL_A });
    };
    addSimilar(0, 2_000);
    expect(await client.find(attempt)).toEqual({ state: 'absent' });
    addSimilar(2_000, 2_001);
    const before = fake.heard.length;
    expect(await client.find(attempt)).toEqual({ state: 'unknown' });
    expect(fake.heard.length - before).toBe(40);
  });

  test('a code is found among the newest links if every search fails', async () => {
    fake.database = 'mysql';
    const attempt = client.attempt([{ url: URL_A, shortCode: 'wanted' }]);
    for (let number = 0; number < 60; number += 1) fake.add({ shortCode: `other${number}`, url: URL_A });
    expect(await client.find(attempt)).toEqual({ state: 'absent' });
    fake.add({ shortCode: 'wanted', url: URL_A });
    expect(await client.find(attempt)).toMatchObject({ state: 'found' });
  });

  test('the expiry is sent as a duration, which is computed for each send', async () => {
    const expiresAt = fake.now + 86_400_000;
    const options = { expiresAt: new Date(expiresAt).toISOString() };
    const attempt = client.attempt([{ url: URL_A, ...options, ...client.withCode(1) }]);
    fake.disturbance = 'lost_before';
    await client.send(attempt);
    fake.now += 7_200_000;
    const later = await Client.connect(tested, fake);
    expect((await later.send(attempt)).items).toMatchObject([{ kind: 'created' }]);
    expect(fake.links[0]?.expiresAt).toBe(expiresAt);
  });

  test('an error of the server leaves it unclear if the link was stored', async () => {
    fake.gateway = says(500, { error: 'An error occurred.' });
    const { items } = await client.send(client.attempt([{ url: URL_A, ...client.withCode(1) }]));
    expect(items).toMatchObject([{ kind: 'unclear', code: 'server_error' }]);
  });

  test('the user’s domains are offered after the default domain, which is sent as no domain', async () => {
    fake.domains = ['go.example.org'];
    const { host } = new URL(fake.baseUrl);
    const document = { domains: [{ name: host }, { name: 'go.example.org' }] };
    expect(await client.probe()).toMatchObject({ service: document });
    fake.add({ shortCode: 'one', url: URL_A, domain: null });
    expect(await client.probe()).toMatchObject({ service: document });

    const onDefault = { ...tested, connection: () => ({ domain: host }) };
    const found = await Client.connect(onDefault, fake);
    expect(found.context.service?.shortBaseUrl).toBe(fake.baseUrl);
    await found.create({ url: URL_A, ...found.withCode(1) });
    expect(fake.links.map(({ domain }) => domain)).toEqual([null, null]);
    const attempt = found.attempt([{ url: URL_A, ...found.withCode(1) }]);
    expect(await found.find(attempt)).toMatchObject({ state: 'found' });
  });

  test('a user without own domains who entered the name of the default domain finds a link', async () => {
    const named = await Client.connect({ ...tested, connection: () => ({ domain: fake.defaultDomain }) }, fake);
    const attempt = named.attempt([{ url: URL_A, ...named.withCode(1) }]);
    fake.disturbance = 'lost_after';
    await named.send(attempt);
    expect(await named.settle(attempt)).toMatchObject({ state: 'found' });
  });

  test('a refusal because of the domain does not count as a problem of the key', async () => {
    const typed = await Client.connect({ ...tested, connection: () => ({ domain: 'typo.example' }) }, fake);
    const refused = await typed.create({ url: URL_A, ...typed.withCode(1) });
    expect(refused).toEqual({ kind: 'refused', code: 'refused', message: "You can't use this domain." });
  });

  test('the address of short URLs is learned from a link', async () => {
    expect(client.context.service?.shortBaseUrl).toBe('');
    fake.add({ shortCode: 'one', url: URL_A });
    expect((await Client.connect(tested, fake)).context.service?.shortBaseUrl).toBe(fake.baseUrl);
  });
});
