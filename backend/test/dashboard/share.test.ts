import { beforeAll, describe, expect, it } from 'vitest';
import { parseAnswer, raw } from '../support/raw.ts';
import { ownerForFile, PASSWORD, textOf, type Visitor, visit } from '../support/visitor.ts';

interface Manifest {
  start_url: string;
  icons: { src: string; sizes: string; type: string }[];
  share_target: { action: string; method: string; params: Record<string, string> };
}

const { terse, ada } = ownerForFile();
let manifestUrl: string;
let manifest: Manifest;
beforeAll(async () => {
  const [, path = ''] = /<link rel="manifest" href="([^"]+)" crossorigin="use-credentials">/.exec(
    await ada.page('/links'),
  ) as RegExpExecArray;
  manifestUrl = path;
  manifest = (await (await ada.get(path)).json()) as Manifest;
});

/** Returns the path that a phone opens when the user shares content. The manifest names its parameters. */
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

describe('content that a phone shares', () => {
  it('fills in the form, which the user sends with one press', async () => {
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
      { title: '"><script>', text: 'https://example.com/"><script>' },
      'https://example.com/',
      '&quot;&gt;&lt;script&gt;',
    ],
    [{ url: 'https://example.com/"><script>' }, 'https://example.com/&quot;&gt;&lt;script&gt;', ''],
    [{ title: 'About https://example.com/' }, 'https://example.com/', 'About https://example.com/'],
  ])('fills in the URL and title from %j', async (shared, url, title) => {
    const html = await ada.page(sharePath(shared));
    expect([fieldValue(html, 'url'), fieldValue(html, 'title')]).toEqual([url, title]);
    expect(html).not.toContain('<script>');
  });

  it.each([
    'https://en.wikipedia.org/wiki/Airplane!',
    'https://fonts.googleapis.com/css?family=Roboto|Open+Sans',
    'https://example.com/{a}^b`c`',
    'https://example.com/x.',
  ])('is never changed if it is exactly one URL: %s', async (url) => {
    for (const shared of [{ text: url }, { url }, { text: `A page\n${url}` }, { text: `<${url}>` }])
      expect(fieldValue(await ada.page(sharePath(shared)), 'url')).toBe(url);
  });

  it('can be a text of 6,000 characters of any alphabet, with its URL at the end', async () => {
    const text = `${'題'.repeat(5978)} https://example.com/q`;
    const html = await ada.page(sharePath({ text, title: '題'.repeat(300) }));
    expect(fieldValue(html, 'url')).toBe('https://example.com/q');
  });

  it('can be a file name with spaces', async () => {
    const html = await ada.page(sharePath({ text: 'https://example.com/docs/Annual Report 2024.pdf' }));
    expect(fieldValue(html, 'url')).toBe('https://example.com/docs/Annual%20Report%202024.pdf');
  });

  it('gets no focus, so that a key press cannot send a form that another site has opened', async () => {
    expect(await ada.page(sharePath({ url: 'https://evil.example/' }))).not.toContain('autofocus');
    expect(await ada.page('/links/new')).toContain('autofocus');
  });

  it.each([
    ['https://[bad https://example.com/1', 'https://example.com/1'],
    ['https://u:p@example.com/ https://good.example/', 'https://good.example/'],
    ['http://192.168.0.1/ https://good.example/', 'https://good.example/'],
    ['http://192.168.0.1/', 'http://192.168.0.1/'],
  ])('uses the first URL that is allowed for links, if there is one: %s', async (text, url) => {
    expect(fieldValue(await (await ada.get(sharePath({ text }))).text(), 'url')).toBe(url);
  });

  it('can be an address without https://, which the form adds', async () => {
    for (const shared of [{ text: 'example.com/q' }, { url: 'example.com/q' }]) {
      const html = await (await ada.get(sharePath(shared))).text();
      expect(fieldValue(html, 'url')).toBe('https://example.com/q');
    }
  });

  it('without a URL opens the form with a message', async () => {
    for (const text of ['nothing to see', 'example.com/q and more']) {
      const html = await (await ada.get(sharePath({ text }))).text();
      expect(textOf(html)).toContain('What you shared contains no URL. Enter the address.');
    }
    expect(await ada.page('/links/new')).not.toContain('aria-invalid');
  });

  it('creates no link until the user presses the button, however the page was opened', async () => {
    const before = await terse.store.links.list(1, null, 1000);
    const path = sharePath({ url: 'https://evil.example/' });
    for (const site of ['cross-site', 'same-site', 'none']) {
      expect((await ada.get(path, { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate' })).status).toBe(200);
      expect((await ada.post('/links', { url: 'https://evil.example/' }, { 'Sec-Fetch-Site': site })).status).toBe(403);
    }
    expect((await ada.post(path, {})).status).toBe(405);
    expect(await terse.store.links.list(1, null, 1000)).toEqual(before);
  });

  it('is still in the form after signing in', async () => {
    const path = sharePath({ title: 'Über uns', text: 'siehe https://example.com/über?a=b&c=d' });
    const html = await afterSignIn(visit(terse), (visitor) => visitor.get(path));
    expect([fieldValue(html, 'url'), fieldValue(html, 'title')]).toEqual([
      'https://example.com/über?a=b&amp;c=d',
      'Über uns',
    ]);
  });

  it('can be the longest URL of a link, also before signing in', async () => {
    const url = `https://example.com/?${'&'.repeat(8192 - 21)}`;
    const path = sharePath({ url, title: '題'.repeat(300) });
    const request = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const answer = parseAnswer(await raw(terse.service.addresses.api, request(path)));
    const signInPath = answer.headers.get('location') ?? '';
    const html = await visit(terse).page(signInPath);
    expect(html.replaceAll('&amp;', '&')).toContain(encodeURIComponent(url));
    // A path that is too long would make the next request fail.
    const long = await visit(terse).get(sharePath({ url: `https://example.com/?${'&'.repeat(12_000)}` }));
    expect(long.headers.get('location')).toBe('/sign-in');
  });
});

/** Sends a request that requires signing in, signs in, and returns the page that opens afterwards. */
async function afterSignIn(visitor: Visitor, request: (visitor: Visitor) => Promise<Response>): Promise<string> {
  const signInPath = (await request(visitor)).headers.get('location') ?? '';
  const [, next = ''] = /name="next" value="([^"]*)"/.exec(await visitor.page(signInPath)) ?? [];
  const fields = { name: 'Ada', password: PASSWORD, next: next.replaceAll('&amp;', '&') };
  const answer = await visitor.post('/sign-in', fields);
  return (await visitor.get(answer.headers.get('location') ?? '')).text();
}
