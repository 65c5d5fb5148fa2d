import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Connection } from '../../../../src/queue/types.ts';
import { KIND_NAMES, type ServiceAdapter } from '../../../../src/servers/adapter.ts';
import type { FakeServer } from '../fakes/fake-server.ts';
import { Client } from './client.ts';
import { JSON_OF_OTHERS, NO_SERVER, PAGES, TOO_MANY } from './hostile-answers.ts';
import { describeLinkOperations } from './link-operations.ts';

export const URL_A = 'https://example.com/a?q=1#part';
const HOUR = 3_600_000;

/** A refusal that a server can give, with the result that the adapter must return for it. */
export interface Refusal {
  name: string;
  /** Prepares the fake or the link so that the server refuses the create. */
  given: (fake: FakeServer) => { url?: string; shortCode?: string; title?: string; expiresAt?: string };
  /** Expected result of the create. Checked with `toMatchObject`. */
  expected: { kind: string; code?: string; message?: string };
}

/** Everything that the conformance suite needs to test one adapter against its fake. */
export interface ConformanceCase {
  adapter: ServiceAdapter;
  newFake: () => FakeServer;
  /** Name of the variant, if one kind is tested with several settings of its server. */
  variant?: string;
  /** Parts of the connection that differ from the default, such as a domain. */
  connection?: (fake: FakeServer) => Partial<Connection>;
  /** All known refusals of the server, except a taken code, which the suite tests itself. */
  refusals: Refusal[];
  /** Number of links on a page of the list. The suite lists one more, to test paging. */
  pageSize?: number;
  /** Methods of the probe's requests, if not only GET. YOURLS reads its key only from forms and addresses. */
  probeMethods?: string[];
  /** Long URLs that the server stores in another form. The adapter must still find their links. */
  trickyUrls?: string[];
}

/** Tests an adapter against the fake of its server, over HTTP. */
export function describeConformance(tested: ConformanceCase): void {
  const { adapter, variant } = tested;
  describe(`the adapter for ${KIND_NAMES[adapter.kind]}${variant ? ` (${variant})` : ''}`, () => {
    let fake: FakeServer;
    let client: Client;

    beforeEach(async () => {
      fake = tested.newFake();
      await fake.start();
      client = await Client.connect(tested, fake);
    });
    afterEach(() => fake.stop());

    describeProbe(tested, () => client);
    describeCreate(tested, () => client);
    describeLostAnswers(() => client);
    describeHostileAnswers(() => client);
    describeLinkOperations(tested, () => client);
  });
}

function describeProbe(tested: ConformanceCase, of: () => Client): void {
  const { adapter, probeMethods = ['GET'] } = tested;

  describe('a probe', () => {
    test('recognizes the server, and checks the key', async () => {
      const { fake, capabilities } = of();
      const probe = await of().probe();
      expect(probe).toMatchObject({
        reached: true,
        service: adapter.kind === 'specification' ? null : { name: expect.any(String) },
      });
      if (capabilities.checksKey) expect(probe).toMatchObject({ key: 'accepted' });
      const other = await of().withKey('wrong-0123456789abcdef').probe();
      if (capabilities.checksKey) expect(other).toMatchObject({ reached: true, key: 'refused' });
      expect(fake.links).toEqual([]);
    });

    test(`sends only ${probeMethods.join(' and ')}, without cookies and without the key in an address`, async () => {
      await of().probe();
      const { fake, sent } = of();
      expect(sent.length).toBeGreaterThan(0);
      // Only browsers have cookies, a cache and a referrer, so the fake cannot see them.
      const options = { credentials: 'omit', cache: 'no-store', redirect: 'manual', referrerPolicy: 'no-referrer' };
      for (const init of sent) expect(init).toMatchObject(options);
      for (const { method, path, query } of fake.heard) {
        expect(probeMethods).toContain(method);
        expect(`${path}?${query}`).not.toContain(of().context.apiKey);
      }
    });

    const { detect } = adapter;
    // The fallback adapter detects no server, because it is used if no other adapter matches.
    if (detect)
      test('can recognize the server without the key', async () => {
        const { fake } = of();
        const response = await fetch(fake.baseUrl + detect.path, { redirect: 'manual' });
        const text = await response.text();
        const json = text.startsWith('{') ? JSON.parse(text) : undefined;
        const answer = { status: response.status, headers: response.headers, text, json };
        expect(detect.matches({ ...answer, retryAfterSeconds: null })).toBe(true);
        const page = {
          ...answer,
          status: 200,
          headers: new Headers({ 'content-type': 'text/html' }),
          text: '<h1>Hi</h1>',
        };
        expect(detect.matches({ ...page, json: undefined, retryAfterSeconds: null })).toBe(false);
      });

    test.each(NO_SERVER)('finds no server behind %s', async (_name, gateway, problems) => {
      of().fake.gateway = gateway;
      const probe = await of().probe();
      expect(probe.reached ? 'reached' : probe.problem).toSatisfy((problem) => problems.includes(String(problem)));
      if (probe.reached) expect(probe).toMatchObject({ service: null, key: 'unknown' });
    });
  });
}

function describeCreate(tested: ConformanceCase, of: () => Client): void {
  describe('a new link', () => {
    test('has the URL and the generated code', async () => {
      const { fake, capabilities } = of();
      const code = of().codeOf(1);

      const result = await of().create({ url: URL_A, ...of().withCode(1) });
      expect(result).toEqual({ kind: 'created', shortUrl: expect.stringMatching(/^https?:\/\//) });
      expect(fake.links).toMatchObject([{ url: URL_A }]);
      if (capabilities.generatedCode) {
        expect(fake.links[0]?.shortCode).toBe(code);
        expect(result).toMatchObject({ shortUrl: expect.stringMatching(new RegExp(`/${code}$`)) });
      }
    });

    test('has the options that the server accepts', async () => {
      const { fake, capabilities, context } = of();
      const expiresAt = context.now + 48 * HOUR;
      const options = {
        ...(capabilities.ownCode && { shortCode: of().codeOf(2) }),
        ...(capabilities.title && { title: 'A title' }),
        ...(capabilities.expiry && { expiresAt: new Date(expiresAt).toISOString() }),
      };
      expect(await of().create({ url: URL_A, ...options })).toMatchObject({ kind: 'created' });
      const [link] = fake.links;
      if (options.shortCode) expect(link?.shortCode).toBe(options.shortCode);
      if (options.title) expect(link?.title).toBe(options.title);
      if (options.expiresAt) expect(Math.abs((link?.expiresAt ?? 0) - expiresAt)).toBeLessThan(60_000);
    });

    test('whose expiry has passed is refused', async () => {
      if (!of().capabilities.expiry) return;
      const expiresAt = new Date(of().context.now - HOUR).toISOString();
      const link = { url: URL_A, expiresAt, ...of().withCode(3) };
      expect(await of().create(link)).toMatchObject({ kind: 'refused', code: 'expired' });
      expect(of().fake.links).toEqual([]);
    });

    test('with the code of another link is refused as taken', async () => {
      const { fake, capabilities } = of();
      if (!capabilities.ownCode) return;
      const code = of().codeOf(4);
      fake.add({ shortCode: code, url: 'https://other.example/', isForeign: true });
      const attempt = of().attempt([{ url: URL_A, ...of().withCode(4) }]);
      const taken = { kind: 'refused', code: 'short_code_taken' };
      expect((await of().send(attempt)).items).toMatchObject([taken]);
      expect(await of().settle(attempt)).toSatisfy(
        (found) =>
          found === null || found.state === 'taken' || (found.kind === taken.kind && found.code === taken.code),
      );
      expect(fake.links.map(({ url }) => url)).toEqual(['https://other.example/']);
    });

    test('with a wrong key is refused', async () => {
      const result = await of()
        .withKey('wrong-0123456789abcdef')
        .create({ url: URL_A, ...of().withCode(5) });
      expect(result).toMatchObject({ kind: 'refused', code: 'unauthorized' });
      expect(of().fake.links).toEqual([]);
    });

    test.each(tested.refusals.map((refusal) => [refusal.name, refusal] as const))(
      'is refused: %s',
      async (_name, { given, expected }) => {
        const link = { url: URL_A, ...of().withCode(6), ...given(of().fake) };
        const before = of().fake.links.length;
        expect(await of().create(link)).toMatchObject(expected);
        expect(of().fake.links).toHaveLength(before);
      },
    );

    test.each(tested.trickyUrls ?? [])('is found again although the server changes the URL %s', async (url) => {
      const attempt = of().attempt([{ url, ...of().withCode(7) }]);
      of().fake.disturbance = 'lost_after';
      expect((await of().send(attempt)).items).toMatchObject([{ kind: 'unclear' }]);
      expect(await of().settle(attempt)).toMatchObject({ shortUrl: expect.any(String) });
      expect(of().fake.links).toHaveLength(1);
    });

    test('in a batch has a separate result', async () => {
      const { fake, capabilities } = of();
      if (capabilities.batchSize === 1) return;
      const links = [1, 2, 3].map((number) => ({ url: `${URL_A}${number}`, ...of().withCode(number) }));
      if (capabilities.generatedCode) fake.add({ shortCode: of().codeOf(2), url: 'https://other.example/' });
      const attempt = of().attempt(links);
      const { items } = await of().send(attempt);
      const taken = { kind: 'refused', code: 'short_code_taken' };
      const made = { kind: 'created' };
      expect(items).toMatchObject([made, capabilities.generatedCode ? taken : made, made]);
      expect(fake.links).toHaveLength(3);
      await of().send(attempt);
      expect(fake.links).toHaveLength(3);
    });
  });
}

function describeLostAnswers(of: () => Client): void {
  describe('a lost answer', () => {
    test.each([
      ['before the link was created', 'lost_before', 0],
      ['after the link was created', 'lost_after', 1],
      ['in the middle', 'truncated', 1],
    ] as const)('%s leads to exactly one link', async (_name, disturbance, made) => {
      const { fake, capabilities } = of();
      const attempt = of().attempt([{ url: URL_A, ...of().withCode(1) }]);
      fake.disturbance = disturbance;
      expect(await of().send(attempt)).toMatchObject({ items: [{ kind: 'unclear' }] });
      expect(fake.links).toHaveLength(made);
      if (capabilities.safeRetry === 'none') return;
      expect(await of().settle(attempt)).toMatchObject({ shortUrl: expect.any(String) });
      expect(fake.links).toHaveLength(1);
      // A further repeat changes nothing.
      expect(await of().settle(attempt)).toMatchObject({ shortUrl: expect.any(String) });
      expect(fake.links).toHaveLength(1);
    });

    test('leads to a look-up that finds the link only if its code has the same URL', async () => {
      const { fake, capabilities } = of();
      if (!capabilities.list) return;
      const attempt = of().attempt([{ url: URL_A, ...of().withCode(2) }]);
      expect((await of().find(attempt))?.state).toMatch(/absent|unknown/);
      fake.add({ shortCode: of().codeOf(2), url: 'https://other.example/' });
      expect(await of().find(attempt)).toEqual({ state: 'taken' });
      await of().send(of().attempt([{ url: URL_A, ...of().withCode(3) }]));
      const made = of().attempt([{ url: URL_A, ...of().withCode(3) }]);
      expect(await of().find(made)).toMatchObject({ state: 'found' });
    });
  });
}

function describeHostileAnswers(of: () => Client): void {
  describe('an answer from something other than the server', () => {
    test.each([...PAGES, ...JSON_OF_OTHERS])('does not count as a created link: %s', async (_name, gateway, kind) => {
      of().fake.gateway = gateway;
      const result = await of().send(of().attempt([{ url: URL_A, ...of().withCode(1) }]));
      expect(result.items).toMatchObject([{ kind }]);
      expect(result).toMatchObject({ answered: false });
    });

    test.each(TOO_MANY)('with status 429 makes the request wait: %s', async (_name, gateway) => {
      of().fake.gateway = gateway;
      const result = await of().send(of().attempt([{ url: URL_A, ...of().withCode(1) }]));
      expect(result).toMatchObject({ items: [{ kind: 'refused_for_now', code: 'throttled' }] });
    });

    test.each([...PAGES, ...JSON_OF_OTHERS])('leaves the state of a link unknown: %s', async (_name, gateway) => {
      of().fake.gateway = gateway;
      const attempt = of().attempt([{ url: URL_A, ...of().withCode(1) }]);
      expect((await of().find(attempt))?.state ?? 'unknown').toBe('unknown');
    });
  });
}
