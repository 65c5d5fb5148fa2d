import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { codeIn } from '../../../../src/queue/result.ts';
import type { NewLink } from '../../../../src/servers/adapter.ts';
import {
  deleteLink,
  editLink,
  findLink,
  listLinks,
  openServer,
  probeResult,
  probeServer,
  type Server,
  sendAttempt,
} from '../../../../src/servers/call-server.ts';
import { capabilitiesOf } from '../../../../src/servers/capabilities.ts';
import { shlinkAdapter } from '../../../../src/servers/shlink.ts';
import { describeConformance } from '../conformance/conformance.ts';
import { FakeShlink } from '../fakes/fake-shlink.ts';

const url = 'https://example.com/page';

for (const domain of [null, 'b.test']) {
  describeConformance({
    adapter: shlinkAdapter,
    variant: domain ?? 'default domain',
    newFake: () => Object.assign(new FakeShlink(), { domainOfAdded: domain }),
    connection: () => (domain === null ? {} : { domain }),
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
  });
}

let fake: FakeShlink;
let server: Server;

beforeEach(async () => {
  fake = new FakeShlink();
  await fake.start();
  server = open(fake.baseUrl);
});

afterEach(() => fake.stop());

function open(baseUrl: string): Server {
  return openServer(fetch, { kind: 'shlink', baseUrl, service: null }, fake.apiKey, fake.now);
}

async function create(link: Partial<NewLink>) {
  const { domain } = server.context;
  const links = [{ url, shortCode: 'k3v9', ...(domain && { domain }), ...link, idempotencyKey: 'key' }];
  const body = JSON.stringify(links[0]);
  const { items } = await sendAttempt(server, { path: '', body, idempotencyKey: 'key', requestIds: ['1'], links });
  return items[0];
}

/** Probes the server and stores what the probe found, as the extension does. */
async function connect(): Promise<void> {
  server.context.service = probeResult(await probeServer(server))?.service ?? null;
}

function list() {
  return listLinks(server, '');
}

describe('a probe', () => {
  test('is not counted as a visit', async () => {
    expect(await probeServer(server)).toMatchObject({
      reached: true,
      service: { version: '5.1.5' },
      key: 'accepted',
    });
    expect(fake.orphanVisits).toEqual([]);
    await fetch(`${fake.baseUrl}/api`);
    expect(fake.orphanVisits).toEqual(['/api']);
  });

  test('finds the domains, and reads the base address of short URLs from a link', async () => {
    fake.basePath = '/go';
    server = open(`${fake.baseUrl}/go`);
    expect(await probeServer(server)).toMatchObject({
      service: { domains: [{ name: 's.test', shortBaseUrl: '' }], shortBaseUrl: '' },
    });
    fake.add({ shortCode: 'x', url, domain: 'b.test' });
    const shortBaseUrl = 'http://s.test/go';
    const domains = [
      { name: 's.test', shortBaseUrl },
      { name: 'b.test', shortBaseUrl: 'http://b.test/go' },
    ];
    expect(await probeServer(server)).toMatchObject({ service: { domains, shortBaseUrl } });
  });

  test('keeps the known domains and addresses if the key is refused', async () => {
    fake.add({ shortCode: 'x', url });
    await connect();
    server.context.apiKey = 'wrong';
    const shortBaseUrl = 'http://s.test';
    const known = { domains: [{ name: 's.test', shortBaseUrl }], shortBaseUrl };
    expect(await probeServer(server)).toMatchObject({ key: 'refused', service: known });
  });

  test('reports a database that is down', async () => {
    fake.isDatabaseDown = true;
    expect(await probeServer(server)).toEqual({ reached: false, problem: 'unavailable' });
  });
});

describe('a title', () => {
  test('is never looked up by the server', async () => {
    await create({});
    await editLink(server, { shortCode: 'k3v9', shortUrl: '' }, { url: 'https://example.com/other' });
    expect(fake.titleLookUps).toEqual([]);
    expect(await list()).toMatchObject({ value: { links: [{ title: null, url: 'https://example.com/other' }] } });
  });

  test.each([
    ['with markup', 'a <b>bold</b> 1<2 title', 'a < b>bold< /b> 1< 2 title'],
    ['that ends with "<"', 'a <', 'a <'],
    ['that is too long', `${'x'.repeat(511)}é and more`, 'x'.repeat(511)],
    ['of emoji that is too long', '🔥'.repeat(200), '🔥'.repeat(128)],
  ])('%s is stored completely or cut', async (_name, title, stored) => {
    expect(await create({ title })).toMatchObject({ kind: 'created' });
    expect(fake.links).toMatchObject([{ title: stored }]);
  });
});

test('no tag is lost because of markup, and Shlink decides how tags are written', async () => {
  await create({ tags: ['Long reads', 'a <b> 1<2'] });
  expect(await list()).toMatchObject({ value: { links: [{ tags: ['long-reads', 'a-<-b>-1<-2'] }] } });
});

describe('a link of the same code and URL on another domain', () => {
  test('does not count as the new link', async () => {
    fake.add({ shortCode: 'k3v9', url, domain: 'other.test' });
    await connect();
    const created = { kind: 'created', shortUrl: 'http://s.test/k3v9' };
    expect(await create({})).toEqual(created);
    expect(await create({})).toEqual(created);
    expect(fake.links.map(({ domain }) => domain)).toEqual(['other.test', null]);
  });

  test('keeps its URL if the link on the default domain is edited or deleted', async () => {
    fake.add({ shortCode: 'k3v9', url, domain: 'other.test' });
    fake.add({ shortCode: 'k3v9', url });
    const link = { shortCode: 'k3v9', shortUrl: 'http://s.test/k3v9' };
    const changes = { url: 'https://example.com/new' };
    const edited = await editLink(server, link, changes);
    expect(edited).toMatchObject({ value: { ...link, ...changes } });
    expect(await deleteLink(server, link)).toEqual({ value: null });
    expect(fake.links).toMatchObject([{ domain: 'other.test', url }]);
  });
});

test('a link is created on the domain of the connection, and found there after a lost answer', async () => {
  fake.add({ shortCode: 'k3v9', url: 'https://example.com/foreign', isForeign: true });
  server.context.domain = 'b.test';
  fake.disturbance = 'lost_after';
  expect(await create({})).toMatchObject({ kind: 'unclear' });
  const found = await findLink(server, { url, shortCode: 'k3v9', domain: 'b.test', idempotencyKey: 'key' });
  expect(found).toEqual({ state: 'found', shortUrl: 'http://b.test/k3v9' });
  expect(await create({})).toEqual({ kind: 'created', shortUrl: 'http://b.test/k3v9' });
  expect(fake.links).toHaveLength(2);
});

test('a link whose answer was lost is found even if its expiry was edited before the repeated create', async () => {
  server.context.domain = 'b.test';
  fake.disturbance = 'lost_after';
  const expiresAt = new Date(fake.now + 3_600_000).toISOString();
  await create({ expiresAt });
  Object.assign(fake.links[0] ?? {}, { expiresAt: null });
  expect(await create({ expiresAt })).toEqual({ kind: 'created', shortUrl: 'http://b.test/k3v9' });
  expect(fake.links).toHaveLength(1);
});

describe('a key that is limited', () => {
  test('to one domain creates links there, and finds them', async () => {
    fake.keys.push({ key: 'limited', domain: 'b.test' });
    server.context.apiKey = 'limited';
    await connect();
    expect(await create({})).toEqual({ kind: 'created', shortUrl: 'http://b.test/k3v9' });
    expect(await create({})).toEqual({ kind: 'created', shortUrl: 'http://b.test/k3v9' });
    await connect();
    const shortBaseUrl = 'http://b.test';
    expect(server.context.service).toMatchObject({ domains: [{ name: 'b.test', shortBaseUrl }], shortBaseUrl });
    const found = await findLink(server, { url, shortCode: 'k3v9', idempotencyKey: 'key' });
    expect(found).toMatchObject({ state: 'found' });
    expect(fake.links).toHaveLength(1);
  });

  test("to its own links does not reuse another key's link", async () => {
    fake.keys.push({ key: 'limited', isAuthorOnly: true });
    server.context.apiKey = 'limited';
    fake.add({ shortCode: 'k3v9', url });
    expect(await create({})).toMatchObject({ kind: 'refused', code: 'short_code_taken' });
    expect(fake.links).toHaveLength(1);
  });
});

test('a link that exists twice with one code is deleted completely', async () => {
  fake.add({ shortCode: 'k3v9', url });
  fake.add({ shortCode: 'k3v9', url });
  const link = { shortCode: 'k3v9', shortUrl: 'http://s.test/k3v9' };
  expect(await deleteLink(server, link)).toEqual({ value: null });
  expect(fake.links).toEqual([]);
});

test('a link with too many visits is not deleted, and the message of the server is reported', async () => {
  fake.deleteThreshold = 15;
  fake.add({ shortCode: 'k3v9', url, clicks: 15 });
  const link = { shortCode: 'k3v9', shortUrl: 'http://s.test/k3v9' };
  const result = await deleteLink(server, link);
  expect(result).toMatchObject({ problem: 'refused', message: expect.stringContaining('more than "15" visits') });
});

test('the clicks of a link exclude bots', async () => {
  fake.add({ shortCode: 'k3v9', url, clicks: 3, bots: 4 });
  expect(await list()).toMatchObject({ value: { links: [{ clicks: 3 }] } });
});

test('on a server that lower-cases codes, the link has the code of the answer', async () => {
  fake.isLoose = true;
  const expiresAt = new Date(fake.now + 3_600_000).toISOString();
  const created = { kind: 'created', shortUrl: 'http://s.test/mycode' };
  expect(await create({ shortCode: 'MyCode', expiresAt })).toEqual(created);
  Object.assign(fake.links[0] ?? {}, { expiresAt: null });
  expect(await create({ shortCode: 'MyCode', expiresAt })).toEqual(created);
  expect(fake.links).toHaveLength(1);
});

test('a code with non-ASCII letters is the same in a new link and in the list', async () => {
  const created = await create({ shortCode: 'Grüße' });
  expect(created).toMatchObject({ kind: 'created' });
  const [listed] = fake.links;
  expect(codeIn(created?.kind === 'created' ? created.shortUrl : '')).toBe(listed?.shortCode);
  expect(await list()).toMatchObject({ value: { links: [{ shortCode: 'Grüße' }] } });
});

test('codes that lead to pages of the server cannot be chosen', () => {
  const pattern = capabilitiesOf({ kind: 'shlink', service: null }).ownCode?.pattern;
  for (const code of ['rest', 'robots.txt', '.', '..', 'a/b', 'a b', 'a#b', ''])
    expect(code).not.toMatch(pattern ?? /./);
  for (const code of ['restaurant', 'k3v9', 'Grüße', 'a.b_c-d']) expect(code).toMatch(pattern ?? /^$/);
});

test('the list shows which links have a start time or a maximum number of visits', async () => {
  for (const shortCode of ['open', 'later', 'few']) fake.add({ shortCode, url });
  Object.assign(fake.links[1] ?? {}, { validSince: fake.now + 86_400_000 });
  Object.assign(fake.links[2] ?? {}, { maxVisits: 3 });
  const page = await list();
  const links = 'value' in page ? page.value.links : [];
  const restricted = links.filter(({ isRestricted }) => isRestricted).map(({ shortCode }) => shortCode);
  expect(restricted.toSorted()).toEqual(['few', 'later']);
});
