import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { holder, PASSWORD, textOf, type Visitor, visit } from '../support/visitor.ts';

interface Manifest {
  start_url: string;
  icons: { src: string; sizes: string; type: string }[];
  share_target: { action: string; method: string; params: Record<string, string> };
}

let terse: TestService;
let ada: Visitor;
let manifestUrl: string;
let manifest: Manifest;
beforeAll(async () => {
  terse = await startTestService();
  ada = await holder(terse);
  const [, path = ''] = /<link rel="manifest" href="([^"]+)" crossorigin="use-credentials">/.exec(
    await ada.page('/links'),
  ) as RegExpExecArray;
  manifestUrl = path;
  manifest = (await (await ada.get(path)).json()) as Manifest;
});
afterAll(() => terse.stop());

/** Opens the page that a phone opens with what the user shares, by the names in the manifest. */
const sharePath = (shared: { title?: string; text?: string; url?: string }) => {
  const { action, params } = manifest.share_target;
  const named = Object.entries(shared).map(([name, value]): [string, string] => [params[name] ?? '', value]);
  return `${action}?${new URLSearchParams(named)}`;
};

function fieldValue(html: string, name: string): string | undefined {
  return new RegExp(`<input class="input" id="${name}"[^>]* value="([^"]*)"`).exec(html)?.[1];
}

describe('the dashboard as an app', () => {
  it('has a manifest that the content security policy allows', async () => {
    const answer = await ada.get(manifestUrl);
    expect(answer.headers.get('content-type')).toBe('application/manifest+json');
    expect((await ada.get('/links')).headers.get('content-security-policy')).toContain("manifest-src 'self'");
    expect((await ada.get(manifest.start_url)).status).toBe(200);
    expect(manifest.share_target.method).toBe('GET');
  });

  it('has icons of the sizes that the manifest names', async () => {
    expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(['192x192', '512x512', '512x512']);
    for (const { src, sizes, type } of manifest.icons) {
      const answer = await ada.get(new URL(src, `http://x${manifestUrl}`).pathname);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
      const png = Buffer.from(await answer.arrayBuffer());
      expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
    }
    const [, apple = ''] = /<link rel="apple-touch-icon" href="([^"]+)">/.exec(await ada.page('/links')) ?? [];
    expect(Buffer.from(await (await ada.get(apple)).arrayBuffer()).readUInt32BE(16)).toBe(180);
  });
});

describe('what a phone shares', () => {
  it('fills in the form, which one press sends', async () => {
    const html = await ada.page(
      sharePath({ title: 'All about otters', text: 'Look: https://example.com/otters?a=b.' }),
    );
    expect([fieldValue(html, 'url'), fieldValue(html, 'title')]).toEqual([
      'https://example.com/otters?a=b',
      'All about otters',
    ]);
    const fields = Object.fromEntries(['url', 'title', 'code'].map((name) => [name, fieldValue(html, name) ?? '']));
    const made = await ada.post('/links', fields);
    expect(made.headers.get('location')).toMatch(/^\/links\?made=[\w-]{7}$/);
    const result = await ada.page(made.headers.get('location') ?? '');
    const [, shortUrl = ''] = /data-created="([^"]+)"/.exec(result) ?? [];
    expect(result).toContain(`data-copy="${shortUrl}"`);
    expect((await terse.visit(shortUrl)).headers.get('location')).toBe('https://example.com/otters?a=b');
  });

  it.each([
    [{ url: 'https://example.com/' }, 'https://example.com/', ''],
    [{ url: '', text: 'https://example.com/' }, 'https://example.com/', ''],
    [{ title: 'https://example.com/', text: 'https://example.com/' }, 'https://example.com/', ''],
    [{ title: 'x'.repeat(500), url: 'https://example.com/' }, 'https://example.com/', 'x'.repeat(300)],
    [
      { title: '"><script>', url: 'https://example.com/"><script>' },
      'https://example.com/',
      '&quot;&gt;&lt;script&gt;',
    ],
  ])('is read from %j', async (shared, url, title) => {
    const html = await ada.page(sharePath(shared));
    expect([fieldValue(html, 'url'), fieldValue(html, 'title')]).toEqual([url, title]);
    expect(html).not.toContain('<script>');
  });

  it('has no focus, so that a key press does not send a form that another site has opened', async () => {
    expect(await ada.page(sharePath({ url: 'https://evil.example/' }))).not.toContain('autofocus');
    expect(await ada.page('/links/new')).toContain('autofocus');
  });

  it('without a URL is a form with a message', async () => {
    const answer = await ada.get(sharePath({ text: 'nothing to see' }));
    expect(textOf(await answer.text())).toContain('What you shared contains no URL. Enter the address.');
    expect(await ada.page('/links/new')).not.toContain('aria-invalid');
  });

  it('creates no link until the user presses the button, however the page was opened', async () => {
    const before = await terse.store.links.count(1, 1000);
    const path = sharePath({ url: 'https://evil.example/' });
    for (const site of ['cross-site', 'same-site', 'none']) {
      expect((await ada.get(path, { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate' })).status).toBe(200);
      expect((await ada.post('/links', { url: 'https://evil.example/' }, { 'Sec-Fetch-Site': site })).status).toBe(403);
    }
    expect((await ada.post(path, {})).status).toBe(405);
    expect(await terse.store.links.count(1, 1000)).toBe(before);
  });

  it('is still there after signing in', async () => {
    const visitor = visit(terse);
    const path = sharePath({ title: 'Über uns', text: 'siehe https://example.com/über?a=b&c=d' });
    const signInPath = (await visitor.get(path)).headers.get('location') ?? '';
    const [, next = ''] = /name="next" value="([^"]*)"/.exec(await visitor.page(signInPath)) ?? [];
    const fields = { name: 'Ada', password: PASSWORD, next: next.replaceAll('&amp;', '&') };
    const answer = await visitor.post('/sign-in', fields);
    const html = await visitor.page(answer.headers.get('location') ?? '');
    expect([fieldValue(html, 'url'), fieldValue(html, 'title')]).toEqual([
      'https://example.com/über?a=b&amp;c=d',
      'Über uns',
    ]);
  });
});
