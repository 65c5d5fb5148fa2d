import { HEADER, Link } from '@terse/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isReserved, isShortCode } from '../../src/domain/links/short-codes.ts';
import { post, serviceWithKeyForFile } from '../support/service.ts';

const terse = serviceWithKeyForFile({ TERSE_DAILY_QUOTA: '100000' });

const create = (body: unknown) => {
  terse.clock.now += 1000;
  return terse.ask('/api/v1/urls', post(terse.key, body));
};
const read = (code: string) => {
  terse.clock.now += 1000;
  return terse.ask(`/api/v1/urls/${encodeURIComponent(code)}`, { headers: { [HEADER.apiKey]: terse.key } });
};

const wellFormed = fc.stringMatching(/^[A-Za-z0-9_-]{3,64}$/);
const anything = fc.string({ unit: 'binary', maxLength: 70 });
const nearly = fc
  .tuple(wellFormed, fc.constantFrom('/', '.', '\n', '\0', ' ', 'ä', '%41', '?', '#'))
  .map((pair) => pair.join(''));

it('a chosen code is accepted if it is valid and not reserved, then is taken and redirects to its link', async () => {
  const given = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.oneof(wellFormed, nearly, anything), async (shortCode) => {
      const response = await create({ url: `https://example.com/${given.size}`, shortCode });
      const free = isShortCode(shortCode) && !isReserved(shortCode);
      expect(response.status).toBe(free ? (given.has(shortCode) ? 409 : 201) : 400);
      if (response.status !== 201) {
        expect((await read(shortCode)).status, shortCode).toBe(given.has(shortCode) ? 200 : 404);
        return;
      }
      given.add(shortCode);
      const link = Link.parse(await response.json());
      expect(await (await read(shortCode)).json()).toEqual(link);
      expect((await terse.visit(`/${shortCode}`)).headers.get('location')).toBe(link.url);
      expect((await create({ url: link.url, shortCode })).status).toBe(409);
    }),
    { numRuns: 60 },
  );
  expect(given.size).toBeGreaterThan(5);
});

describe('a short code without a visible link', () => {
  const isAvailable = async (code: string, asked = terse.key) => {
    terse.clock.now += 1000;
    const response = await terse.ask(`/api/v1/urls/${code}`, { headers: { [HEADER.apiKey]: asked } });
    return response.headers.get(HEADER.shortCodeAvailable);
  };

  it('is available if a key of the owner can use it for a new link', async () => {
    expect(await isAvailable('unused')).toBe('true');
    expect((await create({ url: 'https://example.com/', shortCode: 'unused' })).status).toBe(201);
    expect(await isAvailable('unused')).toBeNull();
  });

  it.each(['docs', 'API', 'a', 'a%2Fb', 'x'.repeat(65)])(
    'is not available if new links cannot have it: %s',
    async (code) => {
      expect(await isAvailable(code)).toBeNull();
    },
  );

  it('is not available on a domain that the service does not have', async () => {
    expect(await isAvailable('free?domain=else.example')).toBeNull();
  });

  it('is not available if another account has or had it, and other accounts learn nothing', async () => {
    const other = await terse.newAccountKey();
    const taken = await terse.ask(
      '/api/v1/urls',
      post(other, { url: 'https://example.com/', shortCode: 'of-another' }),
    );
    expect(taken.status).toBe(201);
    expect(await isAvailable('of-another')).toBeNull();
    await terse.store.links.takeDown('of-another', terse.clock.now);
    expect(await isAvailable('of-another')).toBeNull();
    expect(await isAvailable('free', other)).toBeNull();
  });

  it('is not available to a key that sees only its own links', async () => {
    expect(await isAvailable('free', await terse.newKey({ ownLinksOnly: true }))).toBeNull();
  });

  it('is not available to a key that cannot create links', async () => {
    expect(await isAvailable('free', await terse.newKey({ scopes: ['read'] }))).toBeNull();
  });
});

describe('a body of any shape', () => {
  // The test client validates every response with the OpenAPI document. The document must also allow every accepted
  // body.
  it('is accepted or refused, and never causes an internal error', async () => {
    const url = fc.oneof(fc.webUrl(), fc.string(), fc.jsonValue());
    const field = fc.oneof(fc.string(), fc.constant(null), fc.jsonValue());
    const expiresAt = fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      field,
    );
    const body = fc.record({ url, title: field, expiresAt, more: fc.jsonValue() }, { requiredKeys: ['url'] });
    await fc.assert(
      fc.asyncProperty(fc.oneof(body, fc.jsonValue()), async (sent) => {
        expect([201, 400]).toContain((await create(sent)).status);
      }),
      { numRuns: 150 },
    );
  });
});
