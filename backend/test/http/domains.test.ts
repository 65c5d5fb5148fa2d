import { HEADER, ServiceDocument } from '@terse/contract';
import { describe, expect, it } from 'vitest';
import { importFile, preview } from '../support/imports.ts';
import { follow as followOn } from '../support/raw.ts';
import { post, serviceForTest, serviceWithKeyForFile, type TestService } from '../support/service.ts';
import { holder } from '../support/visitor.ts';

const BASES = 'https://t.example,https://go.example:8443';
const GO = 'go.example:8443';
const QUERY = `?domain=${GO}`;

const terse = serviceWithKeyForFile({ TERSE_SHORT_BASE_URL: BASES, TERSE_THROTTLE: '1000', TERSE_DAILY_QUOTA: '1000' });

const headers = () => ({ Authorization: `Bearer ${terse.key}` });
const read = async (path: string) => (await terse.ask(path, { headers: headers() })).json();
const create = async (body: object) => terse.ask('/api/v1/urls', post(terse.key, body));
const follow = (host: string, code: string, { service }: TestService = terse) =>
  followOn(service.addresses.short, host, code);

describe('a service with several domains', () => {
  it('lists its domains, the default first', async () => {
    const document = ServiceDocument.parse(await (await terse.ask('/api')).json());
    expect(document.shortBaseUrl).toBe('https://t.example');
    expect(document.domains).toEqual([
      { name: 't.example', shortBaseUrl: 'https://t.example' },
      { name: GO, shortBaseUrl: 'https://go.example:8443' },
    ]);
  });

  it('allows the same short code on each domain, and redirects by the host', async () => {
    const first = await create({ url: 'https://example.com/first', shortCode: 'same' });
    const second = await create({ url: 'https://example.com/second', shortCode: 'same', domain: GO.toUpperCase() });
    expect(await first.json()).toMatchObject({ shortUrl: 'https://t.example/same', domain: 't.example' });
    expect(second.headers.get('location')).toMatch(`/api/v1/urls/same${QUERY}`);
    expect(await second.json()).toMatchObject({
      shortCode: 'same',
      shortUrl: 'https://go.example:8443/same',
      domain: GO,
    });
    expect(await follow('t.example', 'same')).toBe('https://example.com/first');
    expect(await follow('GO.example:8443', 'same')).toBe('https://example.com/second');
    expect(await follow('go.example', 'same')).toBe('https://example.com/second');
    const taken = await create({ url: 'https://example.com/third', shortCode: 'same', domain: GO });
    expect(await taken.json()).toMatchObject({ code: 'short_code_taken' });
  });

  it('never redirects for an unknown host, and tells the visitor', async () => {
    const withHome = await serviceForTest({ TERSE_SHORT_BASE_URL: BASES, TERSE_HOME_URL: 'https://www.example.com/' });
    expect(await follow('t.example', '', withHome)).toBe('https://www.example.com/');
    expect(await follow('unknown.example', '', withHome)).toBe(421);
    await create({ url: 'https://example.com/', shortCode: 'proxied' });
    for (const host of ['unknown.example', '127.0.0.1:8788', 'terse']) expect(await follow(host, 'proxied')).toBe(421);
    const page = await terse.visit('/proxied', { headers: { 'Accept-Language': 'de' } });
    expect([page.status, await page.text()]).toEqual([421, expect.stringContaining('Unter dieser Adresse')]);
  });

  it('generates short codes, creates batches, and repeats responses on any domain', async () => {
    const repeated = () =>
      terse.ask(
        '/api/v1/urls',
        post(terse.key, { url: 'https://example.com/', domain: GO }, { 'Idempotency-Key': 'again' }),
      );
    const [one, other] = [await (await repeated()).text(), await (await repeated()).text()];
    expect(one).toContain('https://go.example:8443/');
    expect(other).toBe(one);
    const urls = [
      { url: 'https://example.com/', domain: GO },
      { url: 'https://example.com/', domain: 'else.example' },
    ];
    const { results } = (await (await terse.ask('/api/v1/urls/batch', post(terse.key, { urls }))).json()) as {
      results: { link?: { domain: string }; code?: string }[];
    };
    expect(results[0]?.link?.domain).toBe(GO);
    expect(results[1]?.code).toBe('invalid_domain');
    const other422 = await terse.ask(
      '/api/v1/urls',
      post(terse.key, { url: 'https://example.com/' }, { 'Idempotency-Key': 'again' }),
    );
    expect(other422.status).toBe(422);
  });

  it.each([['else.example'], [''], [7]])('refuses the domain %j', async (domain) => {
    const response = await create({ url: 'https://example.com/', domain });
    if (domain === '') expect(response.status).toBe(201);
    else expect(await response.json()).toMatchObject({ code: 'invalid_domain' });
  });

  it('refuses links to any of its domains', async () => {
    for (const url of ['https://t.example/x', 'https://go.example/x']) {
      expect(await (await create({ url })).json()).toMatchObject({ code: 'target_refused' });
    }
  });

  it('reads, edits, counts and deletes the link of the named domain only', async () => {
    await create({ url: 'https://example.com/1', shortCode: 'both' });
    await create({ url: 'https://example.com/2', shortCode: 'both', domain: GO });
    const path = `/api/v1/urls/both${QUERY}`;
    const edit = { ...post(terse.key, { url: 'https://example.com/3' }), method: 'PATCH' };
    expect(await (await terse.ask(path, edit)).json()).toMatchObject({ url: 'https://example.com/3', domain: GO });
    expect(await read('/api/v1/urls/both')).toMatchObject({ url: 'https://example.com/1' });
    expect(await read('/api/v1/urls/both?domain=t.example')).toMatchObject({ url: 'https://example.com/1' });
    expect(await read('/api/v1/urls/both?domain=else.example')).toMatchObject({ code: 'not_found' });
    for (const host of [GO, GO, 't.example']) await follow(host, 'both');
    await terse.service.clicks.settle();
    expect(await read(`/api/v1/analytics/both${QUERY}`)).toMatchObject({ clicks: 2, shortCode: 'both' });
    expect(await read('/api/v1/analytics/both')).toMatchObject({ clicks: 1 });
    expect((await terse.ask(path, { method: 'DELETE', headers: headers() })).status).toBe(204);
    expect(await follow(GO, 'both')).toBe(410);
    expect(await follow('t.example', 'both')).toBe('https://example.com/1');
  });

  it('lists all links with their domains, and filters by domain', async () => {
    type List = { links: { domain: string; shortCode: string }[]; nextCursor: string | null };
    const all = (await read('/api/v1/urls?domain=*')) as List;
    const standard = (await read('/api/v1/urls')) as List;
    expect(new Set(standard.links.map(({ domain }) => domain))).toEqual(new Set(['t.example']));
    expect(new Set(all.links.map(({ domain }) => domain))).toEqual(new Set(['t.example', GO]));
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = (await read(
        `/api/v1/urls${QUERY}&limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      )) as List;
      expect(page.links.every(({ domain }) => domain === GO)).toBe(true);
      found.push(...page.links.map(({ shortCode }) => shortCode));
      cursor = page.nextCursor;
    }
    expect(found).toHaveLength(all.links.filter(({ domain }) => domain === GO).length);
  });

  it('is managed in the dashboard: filter, new link, page of a link, deletion and undo', async () => {
    const ada = await holder(terse);
    expect(await ada.page('/links/new')).toContain(`<option value="${GO}" >${GO}</option>`);
    const fields = { url: 'https://example.com/dash', code: 'dash', domain: GO, title: '', expiresAt: '', zone: 'UTC' };
    const made = await ada.post('/links', fields);
    expect(await ada.page(made.headers.get('location') ?? '')).toContain('data-created="https://go.example:8443/dash"');
    const unknown = await ada.post('/links', { ...fields, domain: 'else.example' });
    expect(unknown.status).toBe(400);
    expect(await unknown.text()).toContain('This server does not have the domain that you chose.');
    const filtered = await ada.page(`/links${QUERY}`);
    expect(filtered).toContain('https://go.example:8443/dash');
    expect(filtered).not.toContain('https://t.example/');
    expect(await ada.page('/links?domain=t.example')).not.toContain('https://go.example:8443/');
    const [, address = ''] = /href="([^"]+)"><bdi class="line[^>]*>example.com\/dash/.exec(filtered) ?? [];
    expect(await ada.page(address)).toContain('https://go.example:8443/dash');
    const code = decodeURIComponent(address.slice('/links/'.length)).slice(1);
    const deleted = await ada.post('/selection', { code, action: 'delete', list: `/links${QUERY}` });
    expect(await follow(GO, 'dash')).toBe(410);
    const notice = await ada.page(deleted.headers.get('location') ?? '');
    const [, deletedAt = ''] = /name="deletedAt" value="(\d+)"/.exec(notice) ?? [];
    await ada.post('/selection/restore', { deletedAt, list: '/links' });
    expect(await follow(GO, 'dash')).toBe('https://example.com/dash');
  });
});

it('the form for a new link explains that a domain was removed, even if only one domain is left', async () => {
  const only = await serviceForTest({ TERSE_SHORT_BASE_URL: 'https://t.example' });
  const ada = await holder(only);
  expect(await ada.page('/links/new')).not.toContain('id="domain"');
  const fields = { url: 'https://example.com/', domain: GO };
  const html = await (await ada.post('/links', fields)).text();
  expect(html).toMatch(/id="domain-problem">This server does not have the domain that you chose\./);
  const [, left] = /<select [^>]*id="domain"[^>]*>\s*<option value="([^"]+)"/.exec(html) ?? [];
  expect((await ada.post('/links', { ...fields, domain: left ?? '' })).status).toBe(303);
});

it('an import keeps the domains that the service has, and moves all others to the default', async () => {
  const ada = await holder(terse, 'Grace');
  const file = `shortUrl,url
https://go.example/kept,https://example.com/go
https://t.example/kept,https://example.com/t
https://bit.ly/moved,https://example.com/bit`;
  const note = `Links on t.example, ${GO} keep their domain. All others move to t.example.`;
  expect(await preview(ada, file)).toContain(note);
  await importFile(ada, file);
  expect(await follow('t.example', 'moved')).toBe('https://example.com/bit');
  expect(await follow(GO, 'kept')).toBe('https://example.com/go');
  expect(await follow('t.example', 'kept')).toBe('https://example.com/t');
  const exported = await ada.page('/links/export.csv');
  expect(exported).toContain('https://go.example:8443/kept');
});

it('a service that ignores case creates short codes in lower case and finds them in any case, on every domain', async () => {
  const folding = await serviceForTest({
    TERSE_SHORT_BASE_URL: BASES,
    TERSE_CASE_INSENSITIVE_CODES: 'true',
    TERSE_THROTTLE: '1000',
  });
  const own = await folding.newKey();
  const { codes } = ServiceDocument.parse(await (await folding.ask('/api')).json());
  expect(codes?.alphabet).toMatch(/^[a-z2-9]+$/);
  for (const domain of ['t.example', GO]) {
    const body = { url: 'https://example.com/1', shortCode: 'Promo', domain };
    const made = await folding.ask('/api/v1/urls', post(own, body));
    expect(await made.json()).toMatchObject({ shortCode: 'promo', domain });
    expect(await follow(domain, 'pROMO', folding)).toBe('https://example.com/1');
    expect(await follow(domain, 'PROMO', folding)).toBe('https://example.com/1');
    const edit = { ...post(own, { url: 'https://example.com/2' }), method: 'PATCH' };
    const edited = await folding.ask(`/api/v1/urls/PRomo?domain=${domain}`, edit);
    expect(await edited.json()).toMatchObject({ shortCode: 'promo' });
    expect(await follow(domain, 'Promo', folding)).toBe('https://example.com/2');
  }
  const other = await folding.newAccountKey();
  await folding.ask('/api/v1/urls', post(other, { url: 'https://example.com/', shortCode: 'theirs' }));
  const unseen = await folding.ask('/api/v1/urls/THEIRS', { headers: { [HEADER.apiKey]: own } });
  expect([unseen.status, unseen.headers.get(HEADER.shortCodeAvailable)]).toEqual([404, null]);
  const ada = await holder(folding);
  const file = 'Short link,Destination URL\nhttps://dub.sh/CaSe,https://example.com/dub';
  await importFile(ada, file);
  expect(await follow('t.example', 'cAsE', folding)).toBe('https://example.com/dub');
  const generated = await folding.ask('/api/shorten', post(own, { url: 'https://example.com/' }));
  expect(((await generated.json()) as { shortUrl: string }).shortUrl).toMatch(/^https:\/\/t.example\/[a-z2-9]{7}$/);
});

describe('a service with an international domain', () => {
  const environment = { TERSE_SHORT_BASE_URL: 'https://t.example,https://kürz.example', TERSE_THROTTLE: '1000' };
  const international = serviceWithKeyForFile({ ...environment, TERSE_DAILY_QUOTA: '1000' });
  const ASCII = 'xn--krz-hoa.example';

  it('accepts both spellings of the domain, and stores the link under one', async () => {
    for (const [index, domain] of ['kürz.example', 'KÜRZ.example', ASCII].entries()) {
      const body = { url: 'https://example.com/', shortCode: `code-${index}`, domain };
      const link = await (await international.ask('/api/v1/urls', post(international.key, body))).json();
      expect(link).toMatchObject({ domain: ASCII, shortUrl: `https://${ASCII}/code-${index}` });
      expect(await follow(ASCII, `code-${index}`, international)).toBe('https://example.com/');
      const again = await international.ask(`/api/v1/urls/code-${index}?domain=${encodeURIComponent('kürz.example')}`, {
        headers: { Authorization: `Bearer ${international.key}` },
      });
      expect(await again.json()).toMatchObject({ domain: ASCII });
    }
    const unknown = await international.ask(
      '/api/v1/urls',
      post(international.key, { url: 'https://a.example/', domain: 'kurz.example' }),
    );
    expect(await unknown.json()).toMatchObject({ code: 'invalid_domain' });
  });

  it('shows and copies the readable domain on the dashboard', async () => {
    const ada = await holder(international);
    const fields = { url: 'https://münchen.de/', code: 'otters', domain: 'kürz.example', title: '', expiresAt: '' };
    const made = await ada.post('/links', { ...fields, zone: 'UTC' });
    expect(await ada.page(made.headers.get('location') ?? '')).toContain('data-created="https://kürz.example/otters"');
    expect(await ada.page('/links/new')).toContain(`<option value="${ASCII}" >kürz.example</option>`);
    for (const spelling of ['kürz.example', ASCII]) {
      const list = await ada.page(`/links?domain=${encodeURIComponent(spelling)}&search=M%C3%9CNCHEN`);
      expect(list).toContain('data-copy="https://kürz.example/otters"');
      expect(list).toContain('<span>kürz.example</span>/');
      expect(list).toContain('https://münchen.de/');
      expect(list).toContain('Domain: kürz.example');
      expect(list).toContain(`href="https://${ASCII}/otters"`);
    }
  });
});
