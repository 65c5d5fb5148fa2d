import { FEATURE } from '@terse/contract/service-capabilities';
import { describe, expect, test } from 'vitest';
import {
  ADAPTERS,
  deleteLink,
  editLink,
  findLink,
  listLinks,
  readClicks,
  sendAttempt,
} from '../../../../src/servers/call-server.ts';
import type { Fetch } from '../../../../src/servers/http.ts';
import { terseAdapter } from '../../../../src/servers/terse.ts';
import { aPost } from '../../queue/support/queue-builders.ts';
import { describeConformance, type Refusal } from '../conformance/conformance.ts';
import { FakeTerse } from '../fakes/fake-terse.ts';
import { terseServer } from '../terse-server.ts';

const refusals: Refusal[] = [
  {
    name: 'a URL that is not a web address',
    given: () => ({ url: 'ftp://example.com/' }),
    expected: { kind: 'refused', code: 'invalid_url' },
  },
  {
    name: 'a URL of the server itself',
    given: () => ({ url: 'https://s.example/abc' }),
    expected: { kind: 'refused', code: 'target_refused' },
  },
];

describeConformance({ adapter: terseAdapter, newFake: () => new FakeTerse(), refusals, pageSize: 100 });

describeConformance({
  adapter: terseAdapter,
  variant: 'without idempotency keys',
  newFake: () => new FakeTerse([FEATURE.key, FEATURE.links]),
  refusals,
});

const [notWeb] = refusals;
describeConformance({
  adapter: ADAPTERS.specification,
  newFake: () => new FakeTerse([]),
  refusals: notWeb ? [notWeb] : [],
});

describe('on a server with several domains', () => {
  const domains = [
    { name: 's.example', shortBaseUrl: 'https://s.example' },
    { name: 't.example', shortBaseUrl: 'https://t.example' },
  ];
  const service = { name: '', shortBaseUrl: 'https://s.example', domains, features: Object.values(FEATURE) };

  /** Returns the paths of the requests of a call. Every answer is a 404. */
  async function pathsOf(call: (server: ReturnType<typeof terseServer>) => Promise<unknown>, part = {}) {
    const paths: string[] = [];
    const fetch = (url: string) => {
      paths.push(url.replace('https://s.example', ''));
      return Promise.resolve(new Response('{}', { status: 404 }));
    };
    await call(terseServer({ baseUrl: 'https://s.example', apiKey: 'key' }, { fetch, service, ...part }));
    return paths;
  }

  test('the links of all domains are listed', async () => {
    const list: Parameters<typeof pathsOf>[0] = (server) => listLinks(server, '');
    expect(await pathsOf(list)).toEqual(['/api/v1/urls?limit=100&domain=*']);
    expect(await pathsOf(list, { service: null })).toEqual(['/api/v1/urls?limit=100']);
  });

  test.each([
    ['https://s.example/a', ''],
    ['https://t.example/a', '?domain=t.example'],
    ['https://unknown.example/a', ''],
  ])('the link %s is edited, deleted and counted with the query “%s”', async (shortUrl, query) => {
    const link = { shortCode: 'a', shortUrl };
    const edit = await pathsOf((server) => editLink(server, link, { title: 'x' }));
    const remove = await pathsOf((server) => deleteLink(server, link));
    const clicks = await pathsOf((server) => readClicks(server, link));
    expect([...edit, ...remove]).toEqual(Array(2).fill(`/api/v1/urls/a${query}`));
    expect(clicks).toEqual([`/api/v1/analytics/a${query}`]);
  });

  test('a link is looked up on the domain of its request', async () => {
    const wanted = { url: 'https://x.example/', shortCode: 'a', idempotencyKey: 'key', domain: 't.example' };
    expect(await pathsOf((server) => findLink(server, wanted))).toEqual(['/api/v1/urls/a?domain=t.example']);
  });
});

test('a deletion is complete even if the key may delete links but not read them', async () => {
  const fetch = async (_url: string, { method }: RequestInit) =>
    method === 'DELETE'
      ? new Response(null, { status: 204 })
      : Response.json({ error: 'This key cannot read links.', code: 'forbidden' }, { status: 403 });
  const server = terseServer({ baseUrl: 'https://s.example', apiKey: 'key' }, { fetch: fetch as Fetch });
  expect(await deleteLink(server, { shortCode: 'a', shortUrl: 'https://s.example/a' })).toEqual({ value: null });
});

describe('a code that is taken', () => {
  const url = 'https://x.example/';
  const shortUrl = 'https://s.example/a';
  const link = { shortCode: 'a', shortUrl, url, title: null, createdAt: '2026-01-01T00:00:00Z', expiresAt: null };
  const counts = { clicks: 0, importedClicks: 0, domain: 's.example', forwardQuery: false, tags: [] };
  const taken = { error: 'Taken.', code: 'short_code_taken' };
  const service = { name: '', shortBaseUrl: 'https://s.example', features: [FEATURE.links, FEATURE.chosenCodes] };

  test.each([
    ['by a link with the same URL is the link of an earlier attempt', 200, {}, { kind: 'created', shortUrl }],
    ['by a link with another URL is refused', 200, { url: 'https://y.example/' }, { kind: 'refused' }],
    ['by a link that the key must not see is refused', 404, { error: 'No.', code: 'not_found' }, { kind: 'refused' }],
    ['is refused if the key must not read links', 403, { error: 'No.', code: 'forbidden' }, { kind: 'refused' }],
    ['leaves the result open while the server does not say by which link', 503, {}, { kind: 'unclear' }],
  ])('%s', async (_name, status, part, expected) => {
    const fetch = async (_url: string, { method }: RequestInit) =>
      method === 'POST'
        ? Response.json(taken, { status: 409 })
        : Response.json(status === 200 ? { ...link, ...counts, ...part } : part, { status });
    const server = terseServer({ baseUrl: 'https://s.example', apiKey: 'key' }, { fetch: fetch as Fetch, service });
    const wanted = { url, shortCode: 'a', idempotencyKey: 'key' };
    const { items } = await sendAttempt(server, aPost(['one'], { path: '/api/v1/urls', links: [wanted] }));
    expect(items).toMatchObject([expected]);
  });
});
