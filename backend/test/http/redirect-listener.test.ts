import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createDomainFinder, foldCode } from '../../src/domain/links/short-codes.ts';
import type { LinkTarget } from '../../src/domain/links/stored-link.ts';
import { createGuessingLimit } from '../../src/redirects/guessing-limit.ts';
import {
  createRedirectListener,
  newRedirectCounts,
  type RedirectServices,
} from '../../src/redirects/redirect-handler.ts';
import { click } from '../support/clicks.ts';

const TARGET = 'https://example.com/?a=1';
const link = (part: Partial<LinkTarget> = {}): LinkTarget => {
  return { id: 1, url: TARGET, expiresAt: null, deletedAt: null, forwardQuery: null, ...part };
};

/** Links in memory, by stored code. The links in `cached` are found without a look-up. */
const stored = new Map<string, LinkTarget>();
const cached = new Map<string, LinkTarget>();
const clicks: string[] = [];
const errors: unknown[] = [];
const unknownHosts: string[] = [];
let lookUps = 0;
const now = 1_000_000;
let services: RedirectServices;
let server: Server;
let listener: ReturnType<typeof createRedirectListener>;

/** Sets up a listener whose services are in memory. */
function listen(part: Partial<RedirectServices> = {}): void {
  services = {
    links: {
      peek: (code) => cached.get(code),
      has: (code) => cached.has(code),
      fetch: async (code) => {
        lookUps += 1;
        return stored.get(code) ?? null;
      },
      forget: () => {},
    },
    domainOf: null,
    fold: null,
    clock: () => now,
    limiter: createGuessingLimit(
      () => 'client',
      () => now,
    ),
    isBlocked: (href) => href.includes('blocked'),
    counts: newRedirectCounts(),
    clicks: { describe: (id) => click(id), add: async ({ link }) => void clicks.push(`click ${link}`) },
    sendPage: (_, response, name, headers = {}) => response.writeHead(418, headers).end(name),
    homeUrl: null,
    forwardsQuery: false,
    maxUrlBytes: 100,
    onError: (error) => errors.push(error),
    onUnknownHost: (header) => unknownHosts.push(header),
    ...part,
  };
  listener = createRedirectListener(services);
}

async function visit(path: string, init?: RequestInit) {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
/** Returns the target of a redirect, or the name of the page. */
async function resultOf(path: string, init?: RequestInit): Promise<string> {
  const { headers, text } = await visit(path, init);
  return headers.get('location') ?? text;
}

beforeAll(async () => {
  server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());
afterEach(() => {
  for (const list of [stored, cached]) list.clear();
  for (const list of [clicks, errors, unknownHosts]) list.length = 0;
  lookUps = 0;
});

describe('a redirect', () => {
  it('is equal for cached and stored links, and is counted after its click is written', async () => {
    listen();
    stored.set('code', link());
    cached.set('known', link({ id: 2 }));
    for (const path of ['/code', '/known']) {
      const { status, headers } = await visit(path);
      expect([status, headers.get('location')]).toEqual([302, TARGET]);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-robots-tag')).toBe('noindex');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-length')).toBe('0');
    }
    expect(clicks).toEqual(['click 1', 'click 2']);
    expect([lookUps, services.counts.redirected]).toEqual([1, 2]);
  });

  it('of a HEAD request does not count as a click', async () => {
    listen();
    stored.set('code', link());
    expect(await resultOf('/code', { method: 'HEAD' })).toBe(TARGET);
    expect(clicks).toEqual([]);
    expect(services.counts.redirected).toBe(1);
  });

  it('contains the query of the visitor if the link or the service forwards queries', async () => {
    const targets = async (forwardsQuery: boolean) => {
      listen({ forwardsQuery });
      for (const forwardQuery of [null, true, false]) cached.set(`${forwardQuery}`, link({ forwardQuery }));
      return Promise.all(['/null?b=2', '/true?b=2', '/false?b=2', '/true'].map((path) => resultOf(path)));
    };
    const forwarded = `${TARGET}&b=2`;
    expect(await targets(false)).toEqual([TARGET, forwarded, TARGET, TARGET]);
    expect(await targets(true)).toEqual([forwarded, forwarded, TARGET, TARGET]);
    expect(await resultOf(`/true?${'b'.repeat(100)}`)).toBe(TARGET);
  });
});

describe('a page instead of a redirect', () => {
  it('is shown for an unknown code, and for a path that cannot be a code', async () => {
    listen();
    expect([await resultOf('/code'), lookUps]).toEqual(['unknown', 1]);
    expect([await resultOf('/%ff'), lookUps]).toEqual(['unknown', 1]);
    expect([services.counts.unknown, services.counts.redirected]).toEqual([2, 0]);
  });

  it('is shown from the moment at which a link expires, and for a deleted or blocked link', async () => {
    listen();
    stored.set('later', link({ expiresAt: now + 1 }));
    stored.set('now', link({ expiresAt: now }));
    stored.set('deleted', link({ deletedAt: 1 }));
    stored.set('blocked', link({ url: 'https://blocked.example/' }));
    expect(await resultOf('/later')).toBe(TARGET);
    expect(await resultOf('/now')).toBe('gone');
    expect(await resultOf('/deleted')).toBe('gone');
    expect(await resultOf('/blocked')).toBe('blocked');
    expect(services.counts).toMatchObject({ redirected: 1, gone: 2, blocked: 1 });
    expect(clicks).toEqual(['click 1']);
  });

  it('is shown for other methods than GET and HEAD, and counts no click', async () => {
    listen();
    cached.set('code', link());
    const { headers, text } = await visit('/code', { method: 'POST' });
    expect([text, headers.get('allow')]).toEqual(['wrongMethod', 'GET, HEAD']);
    expect(clicks).toEqual([]);
  });

  it('is shown if the look-up fails, and asks to try again', async () => {
    const error = new Error('away');
    listen({
      links: { peek: () => undefined, has: () => false, fetch: () => Promise.reject(error), forget: () => {} },
    });
    const { headers, text } = await visit('/code');
    expect([text, headers.get('retry-after')]).toEqual(['failed', '5']);
    expect(errors).toEqual([error]);
  });

  it('is shown to clients that guess codes, but not for cached links', async () => {
    listen();
    cached.set('popular', link());
    stored.set('other', link());
    for (let guesses = 0; guesses < 60; guesses += 1) await visit(`/unknown${guesses}`);
    const { headers, text } = await visit('/other');
    expect([text, headers.get('retry-after')]).toEqual(['throttled', '1']);
    expect(await resultOf('/popular')).toBe(TARGET);
  });
});

describe('many requests at once', () => {
  const COUNT = 100;
  const visitAll = (path: string) => Promise.all(Array.from({ length: COUNT }, () => resultOf(path)));

  it('are redirected if the link is cached but must be checked for changes first', async () => {
    const { promise: checked, resolve: endCheck } = Promise.withResolvers<LinkTarget>();
    let waiting = 0;
    const fetchChecked = () => {
      waiting += 1;
      if (waiting === COUNT) endCheck(link());
      return checked;
    };
    listen({
      links: { peek: () => undefined, has: (code) => code === 'popular', fetch: fetchChecked, forget: () => {} },
    });
    expect(new Set(await visitAll('/popular'))).toEqual(new Set([TARGET]));
  });

  it('for the code of a cached link with a punctuation mark count as guesses', async () => {
    listen();
    cached.set('popular', link());
    for (let guesses = 0; guesses < 60; guesses += 1) await visit(`/unknown${guesses}`);
    expect(await resultOf('/popular.')).toBe('throttled');
  });
});

describe('a short URL that was copied with the end of its sentence', () => {
  it('redirects if its code exists only without the ending', async () => {
    listen();
    stored.set('otters', link());
    for (const ending of ['.', ')', ',', '%E2%80%8B', '%20', '%22).']) {
      expect(await resultOf(`/otters${ending}`)).toBe(TARGET);
    }
    stored.set('otters.', link({ url: 'https://exact.example/' }));
    expect(await resultOf('/otters.')).toBe('https://exact.example/');
    expect(await resultOf('/beavers.')).toBe('unknown');
  });

  it('does not count as a guess', async () => {
    listen();
    stored.set('otters', link());
    for (let visits = 0; visits < 70; visits += 1) expect(await resultOf('/otters.')).toBe(TARGET);
    expect(await resultOf('/unknown')).toBe('unknown');
  });

  it('is looked up on its own domain, and without regard to case if codes are case-insensitive', async () => {
    listen({ domainOf: () => ({ host: 'other.example' }), fold: foldCode });
    stored.set('//other.example/otters', link());
    expect(await resultOf('/Otters%E3%80%82')).toBe(TARGET);
  });

  it('leads to the page for deleted links if its link is deleted', async () => {
    listen();
    stored.set('otters', link({ deletedAt: 1 }));
    expect(await resultOf('/otters.')).toBe('gone');
  });
});

describe('the host of short URLs', () => {
  it('redirects its home page, without a look-up', async () => {
    listen({ homeUrl: 'https://home.example/' });
    expect(await resultOf('/')).toBe('https://home.example/');
    expect(await resultOf('/?x')).toBe('https://home.example/');
    expect(await resultOf('/code')).toBe('unknown');
    expect(lookUps).toBe(1);
    listen();
    expect(await resultOf('/')).toBe('unknown');
  });

  it('decides which links exist if the service has several domains', async () => {
    const removed = ['removed.example'];
    listen({ domainOf: createDomainFinder(['https://default.example', 'https://127.0.0.1'], removed) });
    stored.set('code', link({ url: 'https://default.example/' }));
    stored.set('//127.0.0.1/code', link());
    expect(await resultOf('/code')).toBe(TARGET);
    listen({ domainOf: () => 'removed' });
    expect([await resultOf('/code'), lookUps]).toEqual(['unknown', 1]);
  });

  it('is reported if it is unknown, and no link is looked up', async () => {
    stored.set('code', link());
    cached.set('code', link());
    listen({ domainOf: () => 'unknown' });
    for (const path of ['/code', '/code.', '/']) expect(await resultOf(path)).toBe('unknownHost');
    const [host, ...others] = unknownHosts;
    expect(host).toMatch(/^127\.0\.0\.1:\d+$/);
    expect([others.length, lookUps]).toEqual([2, 0]);
  });

  it('ignores the case of codes if the operator enabled that', async () => {
    stored.set('code', link());
    listen();
    expect(await resultOf('/CODE')).toBe('unknown');
    listen({ fold: foldCode });
    expect(await resultOf('/CODE')).toBe(TARGET);
  });
});
