import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { codeIn } from '../../../../src/queue/result.ts';
import type { Connection } from '../../../../src/queue/types.ts';
import { shlinkAdapter } from '../../../../src/servers/shlink.ts';
import { Client, type Wanted } from '../conformance/client.ts';
import { type ConformanceCase, describeConformance } from '../conformance/conformance.ts';
import { FakeShlink } from '../fakes/fake-shlink.ts';

const url = 'https://example.com/page';
const link = { shortCode: 'k3v9', shortUrl: 'http://s.test/k3v9' };
const created = { kind: 'created', shortUrl: 'http://s.test/k3v9' };

const tested: ConformanceCase = {
  adapter: shlinkAdapter,
  newFake: () => new FakeShlink(),
  pageSize: 100,
  refusals: [
    {
      name: 'the URL is invalid',
      given: () => ({ url: 'example' }),
      expected: { kind: 'refused', code: 'invalid_url', message: 'Provided data is not valid' },
    },
    {
      name: 'the code is invalid',
      given: () => ({ shortCode: 'a#b' }),
      expected: { kind: 'refused', code: 'refused', message: 'Provided data is not valid' },
    },
  ],
};

describeConformance(tested);
describeConformance({
  ...tested,
  variant: 'on another domain',
  newFake: () => Object.assign(new FakeShlink(), { domainOfAdded: 'b.test' }),
  connection: () => ({ domain: 'b.test' }),
});

let fake: FakeShlink;
let client: Client;

beforeEach(async () => {
  fake = new FakeShlink();
  await fake.start();
  client = await connect();
});
afterEach(() => fake.stop());

function connect(part: Partial<Connection> = {}): Promise<Client> {
  return Client.connect({ ...tested, connection: () => part }, fake);
}

const create = (options: Partial<Wanted> = {}) => client.create({ url, shortCode: 'k3v9', ...options });

describe('a probe', () => {
  test('is not counted as a visit', async () => {
    expect(await client.probe()).toMatchObject({ service: { version: '5.1.5' }, key: 'accepted' });
    expect(fake.orphanVisits).toEqual([]);
    await fetch(`${fake.baseUrl}/api`);
    expect(fake.orphanVisits).toEqual(['/api']);
  });

  test('finds the domains, and reads the base address of short URLs from a link', async () => {
    fake.basePath = '/go';
    client = await connect({ baseUrl: `${fake.baseUrl}/go` });
    const unknown = { domains: [{ name: 's.test', shortBaseUrl: '' }], shortBaseUrl: '' };
    expect(await client.probe()).toMatchObject({ service: unknown });
    fake.add({ shortCode: 'x', url, domain: 'b.test' });
    const shortBaseUrl = 'http://s.test/go';
    const domains = [
      { name: 's.test', shortBaseUrl },
      { name: 'b.test', shortBaseUrl: 'http://b.test/go' },
    ];
    expect(await client.probe()).toMatchObject({ service: { domains, shortBaseUrl } });
  });

  test('keeps the known domains and addresses if the key is refused', async () => {
    fake.add({ shortCode: 'x', url });
    const shortBaseUrl = 'http://s.test';
    const known = { domains: [{ name: 's.test', shortBaseUrl }], shortBaseUrl };
    expect(await (await connect()).withKey('wrong').probe()).toMatchObject({ key: 'refused', service: known });
  });

  test('reports a database that is down', async () => {
    fake.isDatabaseDown = true;
    expect(await client.probe()).toEqual({ reached: false, problem: 'unavailable' });
  });
});

test('a title is never looked up by the server', async () => {
  await create();
  const changes = { url: 'https://example.com/other' };
  expect(await client.edit(link, changes)).toMatchObject({ value: { title: null, ...changes } });
  expect(fake.titleLookUps).toEqual([]);
});

test.each([
  ['with markup', 'a <b>bold</b> 1<2 title', 'a < b>bold< /b> 1< 2 title'],
  ['that ends with "<"', 'a <', 'a <'],
  ['that is too long', `${'x'.repeat(511)}é and more`, 'x'.repeat(511)],
  ['of emoji that is too long', '🔥'.repeat(200), '🔥'.repeat(128)],
])('a title %s is stored completely or cut', async (_name, title, stored) => {
  expect(await create({ title })).toMatchObject({ kind: 'created' });
  expect(fake.links).toMatchObject([{ title: stored }]);
});

test('no tag is lost because of markup, and Shlink decides how tags are written', async () => {
  await create({ tags: ['Long reads', 'a <b> 1<2'] });
  expect(await client.list('')).toMatchObject({ value: { links: [{ tags: ['long-reads', 'a-<-b>-1<-2'] }] } });
});

test('a link of the same code and URL on another domain does not count as the new link, and keeps its URL', async () => {
  fake.add({ shortCode: 'k3v9', url, domain: 'other.test' });
  client = await connect();
  expect([await create(), await create()]).toEqual([created, created]);
  const changes = { url: 'https://example.com/new' };
  expect(await client.edit(link, changes)).toMatchObject({ value: { ...link, ...changes } });
  expect(await client.delete(link)).toEqual({ value: null });
  expect(fake.links).toMatchObject([{ domain: 'other.test', url }]);
});

test('a link is found on the domain of the connection, although the default domain has another one', async () => {
  fake.add({ shortCode: 'k3v9', url: 'https://example.com/foreign', isForeign: true });
  client = await connect({ domain: 'b.test' });
  const attempt = client.attempt([{ url, shortCode: 'k3v9' }]);
  fake.disturbance = 'lost_after';
  await client.send(attempt);
  expect(await client.find(attempt)).toEqual({ state: 'found', shortUrl: 'http://b.test/k3v9' });
  expect(await client.settle(attempt)).toEqual({ kind: 'created', shortUrl: 'http://b.test/k3v9' });
  expect(fake.links).toHaveLength(2);
});

test('a key that is limited to one domain creates links there, and finds them', async () => {
  fake.keys.push({ key: 'limited', domain: 'b.test' });
  Object.defineProperty(fake, 'apiKey', { value: 'limited' });
  client = await connect();
  const onDomain = { kind: 'created', shortUrl: 'http://b.test/k3v9' };
  expect([await create(), await create()]).toEqual([onDomain, onDomain]);
  client = await connect();
  const shortBaseUrl = 'http://b.test';
  expect(client.context.service).toMatchObject({ domains: [{ name: 'b.test', shortBaseUrl }], shortBaseUrl });
  expect(await client.find(client.attempt([{ url, shortCode: 'k3v9' }]))).toMatchObject({ state: 'found' });
  expect(fake.links).toHaveLength(1);
});

test("a key that is limited to its own links does not reuse another key's link", async () => {
  fake.keys.push({ key: 'limited', isAuthorOnly: true });
  fake.add({ shortCode: 'k3v9', url });
  client = client.withKey('limited');
  expect(await create()).toMatchObject({ kind: 'refused', code: 'short_code_taken' });
});

test('a link with too many visits is not deleted, and the message of the server is reported', async () => {
  fake.deleteThreshold = 15;
  fake.add({ shortCode: 'k3v9', url, clicks: 15 });
  const message = expect.stringContaining('more than "15" visits');
  expect(await client.delete(link)).toMatchObject({ problem: 'refused', message });
});

test('on a server that lower-cases codes, the link has the code of the answer', async () => {
  fake.isLoose = true;
  const lower = { kind: 'created', shortUrl: 'http://s.test/mycode' };
  expect([await create({ shortCode: 'MyCode' }), await create({ shortCode: 'MyCode' })]).toEqual([lower, lower]);
  expect(fake.links).toHaveLength(1);
});

test('a code with non-ASCII letters is the same in a new link and in the list', async () => {
  const result = await create({ shortCode: 'Grüße' });
  expect(codeIn(result?.kind === 'created' ? result.shortUrl : '')).toBe('Grüße');
  expect(await client.list('')).toMatchObject({ value: { links: [{ shortCode: 'Grüße' }] } });
});

test('codes that lead to pages of the server cannot be chosen', () => {
  const pattern = client.capabilities.ownCode;
  for (const code of ['rest', 'robots.txt', '.', '..', 'a/b', 'a b', 'a#b', ''])
    expect(code).not.toMatch(pattern ?? /./);
  for (const code of ['restaurant', 'k3v9', 'Grüße', 'a.b_c-d']) expect(code).toMatch(pattern ?? /^$/);
});

test('the list counts no bots, and shows which links have a start time or a maximum number of visits', async () => {
  fake.add({ shortCode: 'open', url, clicks: 3, bots: 4 });
  fake.add({ shortCode: 'later', url, validSince: fake.now + 86_400_000 });
  fake.add({ shortCode: 'few', url, maxVisits: 3 });
  const page = await client.list('');
  const links = 'value' in page ? page.value.links : [];
  expect(links.map(({ clicks, isRestricted = false }) => [clicks, isRestricted])).toEqual([
    [0, true],
    [0, true],
    [3, false],
  ]);
});
