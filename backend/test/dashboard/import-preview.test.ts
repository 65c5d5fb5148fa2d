import { readFileSync } from 'node:fs';
import { HEADER } from '@terse/contract';
import { describe, expect, it } from 'vitest';
import {
  importFile,
  type LinkOutcome,
  outcome,
  outcomePage,
  preview,
  problems,
  startImport,
} from '../support/imports.ts';
import { serviceForTest } from '../support/service.ts';
import { NOON } from '../support/store.ts';
import { holder, ownerForEach, textOf } from '../support/visitor.ts';

const sample = (name: string) => new Uint8Array(readFileSync(new URL(`../fixtures/imports/${name}`, import.meta.url)));

const { terse, ada } = ownerForEach();

const links = async () => (await terse.store.links.list(1, null, 100)).map(({ code }) => code).sort();

/** Starts an import from the preview page. Returns the page of the finished import. */
async function finish(html: string): Promise<string> {
  const answer = await startImport(ada, html);
  expect(answer.status).toBe(303);
  return outcomePage(ada, answer.headers.get('location') ?? '');
}

describe('a preview', () => {
  it('shows the detected format and the data that is not imported, and changes nothing', async () => {
    const html = await preview(ada, sample('kutt-api-links-postgres.json'), 'kutt.json');
    const text = textOf(html);
    expect(text).toContain('Preview of kutt.json Detected format: Kutt. Nothing has been imported yet.');
    expect(text).toContain('Links 8 Can be imported 5 With problems 3');
    expect(text).not.toContain('Data that is not imported');
    expect(text).toMatch(/This link has a password\. .* 1 Entry 1 This link is banned .* 1 Entry 2/);
    expect(text).toContain(
      'pr1vat Problem https://example.com/private Entry 1 · kutt.example.com · This link has a password.',
    );
    expect(await links()).toEqual([]);
    expect(await terse.store.imports.list(1, 1)).toEqual([]);
  });

  it('warns about data that a file does not contain', async () => {
    expect(textOf(await preview(ada, sample('dub-export-default-columns.csv')))).toContain(
      'which links have a password',
    );
  });

  it('imports the links of all domains', async () => {
    const html = await preview(ada, sample('shlink-importer-standard-comma.csv'));
    expect(textOf(html)).toContain('All links move to the domain of this server.');
    const all = await finish(html);
    expect(await links()).toEqual(['a', 'docs', 'launch-26', 'team/2026/plan']);
    expect(problems(all)).toHaveLength(1);
  });

  it('counts all short URLs of a link, and lists each if they fail', async () => {
    await importFile(ada, 'shortCode,url\n3LaUnch,https://else.example/\nlaunch-26,https://else.example/\n');
    const done = await finish(await preview(ada, sample('UNPROVEN-bitly-csv-variant-a.csv')));
    expect(outcome(done)).toMatchObject({ 'New links': '5', 'With problems': '2', 'Rows processed': '7 of 7' });
    expect(problems(done).map(([line, code]) => [line, code])).toEqual([['3', '3LaUnch, launch-26']]);
  });

  it('escapes quoted text', async () => {
    const html = await preview(ada, 'shortCode,url,domain\n<b>,https://<i>,<script>x\n', '<img src=x>.csv');
    expect(html).not.toMatch(/<img src|<b>|<i>|<script>x/);
  });

  it('without importable links still lists the problem of each link', async () => {
    const html = await preview(ada, 'url\nnonsense\n');
    expect(textOf(html)).toContain('No link in this file can be imported.');
    expect(problems(await finish(html))).toEqual([['2', 'nonsense', 'Please enter a valid URL.']]);
  });
});

describe('a pending upload', () => {
  const file = 'shortCode,url\none,https://one.example/\n';

  it('belongs to one account', async () => {
    const grace = await holder(terse, 'Grace');
    const answer = await startImport(grace, await preview(ada, file));
    expect(answer.status).toBe(410);
    expect(await links()).toEqual([]);
  });

  it('can be imported for an hour', async () => {
    const html = await preview(ada, file);
    terse.clock.now += 59 * 60_000;
    expect(outcome(await finish(html))).toMatchObject({ 'New links': '1' });
  });

  it('is deleted after an hour', async () => {
    const html = await preview(ada, file);
    terse.clock.now += 60 * 60_000;
    const gone = await startImport(ada, html);
    expect([gone.status, textOf(await gone.text())]).toEqual([410, expect.stringContaining('Choose the file again')]);
    expect(await links()).toEqual([]);
  });

  it('shows its import if the form is sent again, even after the import has ended', async () => {
    const html = await preview(ada, 'url\nhttps://one.example/\n');
    const path = (await startImport(ada, html)).headers.get('location') ?? '';
    await outcomePage(ada, path);
    await expect.poll(async () => (await startImport(ada, html)).headers.get('location')).toBe(path);
    expect(await links()).toHaveLength(1);
  });
});

const link = (code: string, { store } = terse) => store.links.find(1, code);

it('creation dates that cannot be read become the current date, as the preview says', async () => {
  const dates = ['4/5/2021', '04.06.2021', 'yesterday', '2099-01-01', '2021-04-15', '', '13/13/2021'];
  const rows = dates.map((date, at) => `row${at},https://example.com/${at},${date}\n`);
  const lines = `shortCode,url,createdAt\n${rows.join('')}`;
  expect(textOf(await preview(ada, lines))).toContain('5 creation dates cannot be read');
  await importFile(ada, lines);
  const created = await Promise.all(dates.map(async (_, at) => (await link(`row${at}`))?.createdAt));
  expect(created).toEqual(dates.map((date) => (date === '2021-04-15' ? Date.parse(date) : NOON)));
});

it('a link whose start date cannot be read is refused, because it could be secret', async () => {
  const html = await importFile(ada, 'shortCode,url,validSince\nsoon,https://example.com/,next spring\n');
  expect(problems(html)).toEqual([['2', 'soon', expect.stringContaining('start date of this link cannot be read')]]);
});

describe('a short code that occurs twice in a file', () => {
  const CODES = 'shortCode,url\ndocs,https://one.example/\nDocs,https://two.example/\ndocs,https://three.example/\n';
  const DOMAINS =
    'shortUrl,url\nhttps://a.example/docs,https://one.example/\nhttps://b.example/docs,https://two.example/\n';

  it.each([
    ['with the same letters is imported once', CODES, {}, ['3', '2', '1']],
    [
      'is imported once, whatever its case, if the server ignores it',
      CODES,
      { TERSE_CASE_INSENSITIVE_CODES: 'true' },
      ['3', '1', '2'],
    ],
    ['on other domains is imported once, because both links move to this server', DOMAINS, {}, ['2', '1', '1']],
    [
      'on two domains of the server is imported twice',
      DOMAINS,
      { TERSE_SHORT_BASE_URL: 'https://a.example,https://b.example' },
      ['2', '2', '0'],
    ],
  ])('%s', async (_, file, settings, figures) => {
    const service = await serviceForTest(settings);
    const owner = await holder(service);
    const text = textOf(await preview(owner, file));
    expect(/Links (\d+) Can be imported (\d+) With problems (\d+)/.exec(text)?.slice(1)).toEqual(figures);
    expect(text.includes('An earlier link in this file has the same short code.')).toBe(figures[2] !== '0');
    const [, made, bad] = figures;
    expect(outcome(await importFile(owner, file))).toMatchObject({ 'New links': made, 'With problems': bad });
    if (made !== '2') expect(await link('docs', service)).toMatchObject({ url: 'https://one.example/' });
  });
});

describe('a link that leads to another short URL', () => {
  it('of this server is refused', async () => {
    const html = await importFile(ada, `shortCode,url\nalias,${terse.service.addresses.shortBaseUrl}/target\n`);
    expect(problems(html)).toEqual([['2', 'alias', expect.stringContaining('the address is its own')]]);
  });

  it('of its old domain is imported unchanged', async () => {
    const file =
      'shortUrl,url\nhttps://old.example/alias,https://old.example/target\nhttps://old.example/other,https://x.example/\n';
    await importFile(ada, file);
    expect(await link('alias')).toMatchObject({ url: 'https://old.example/target' });
  });
});

const folder = new URL('../fixtures/imports/', import.meta.url);
const expected = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8'));

/** Sends GET and HEAD requests to a path, encoded as a browser encodes it. */
async function follow(path: string): Promise<[number, string | null]> {
  const url = new URL(path, terse.service.addresses.short).href;
  const [head, get] = [await terse.visit(url, { method: 'HEAD' }), await terse.visit(url)];
  expect([head.status, head.headers.get('location')]).toEqual([get.status, get.headers.get('location')]);
  return [get.status, get.headers.get('location')];
}

describe('an imported link', () => {
  it.each([
    'shlink-web-client-short_urls.csv',
    'dub-export-default-columns.csv',
    'bitly-api-v4-group-bitlinks.json',
    'kutt-api-links-postgres.json',
    'lynx-export.json',
  ])('with %s redirects as before', async (name) => {
    const links = (expected[name].links as LinkOutcome[]).filter(({ problem }) => !problem);
    const codes = new Set(links.map(({ code }) => code));
    const html = await importFile(ada, sample(name), name);
    expect(outcome(html)['New links']).toBe(String(codes.size));
    for (const wanted of codes) {
      // If several links have the same short code, the first one is imported.
      const { url, expiresAt } = links.find(({ code }) => code === wanted) as LinkOutcome;
      const isExpired = expiresAt && Date.parse(expiresAt) < terse.clock.now;
      expect(await follow(`/${wanted}`), String(wanted)).toEqual(
        isExpired ? [410, null] : [302, new URL(url ?? '').href],
      );
    }
  });

  it('of one character counts its clicks, and can be edited and deleted on the dashboard', async () => {
    await importFile(
      ada,
      'shortCode,url\na,https://a.example/\nteam/plan,https://plan.example/\nimport,https://i.example/\n',
    );
    for (const code of ['a', 'team/plan', 'import']) {
      await terse.visit(`/${code}`);
      const address = `/links/%2F${encodeURIComponent(code)}`;
      expect(await ada.page('/links')).toContain(`href="${address}"`);
      const html = await ada.page(address);
      expect(html).toContain(`href="${terse.service.addresses.shortBaseUrl}/${code}"`);
      expect((await ada.get(`${address}/qr.svg`)).headers.get('content-disposition')).toContain('attachment');
      const edited = await ada.post(address, { url: `https://new.example/${code}`, title: '', expiresAt: '' });
      expect([edited.status, edited.headers.get('location')]).toEqual([303, `${address}?done=saved`]);
      expect(await follow(`/${code}`)).toEqual([302, `https://new.example/${code}`]);
      const deleted = await ada.post('/selection', { code, action: 'delete' });
      expect(textOf(await ada.page(deleted.headers.get('location') ?? ''))).toMatch(/\d links? (was|were) deleted/);
      expect((await follow(`/${code}`))[0]).toBe(410);
    }
  });

  it('is shown, listed and deleted by the API', async () => {
    const codes = ['a', 'team/2026/plan', '🚀', 'x.pdf'];
    await importFile(ada, `shortCode,url\n${codes.map((code) => `${code},https://x.example/`).join('\n')}\n`);
    const headers = { [HEADER.apiKey]: await terse.newKey() };
    const list = (await (await terse.ask('/api/v1/urls?limit=1', { headers })).json()) as { nextCursor: string };
    expect((await terse.ask(`/api/v1/urls?cursor=${encodeURIComponent(list.nextCursor)}`, { headers })).status).toBe(
      200,
    );
    for (const code of codes) {
      const path = `/api/v1/urls/${encodeURIComponent(code)}`;
      const link = (await (await terse.ask(path, { headers })).json()) as { shortCode: string; shortUrl: string };
      expect(link.shortCode).toBe(code);
      expect((await terse.visit(link.shortUrl)).status).toBe(302);
      expect((await terse.ask(path, { method: 'DELETE', headers })).status).toBe(204);
    }
  });
});

describe('a reserved word', () => {
  const file =
    'shortCode,url\ndocs,https://docs.example/\nlogin/now,https://login.example/\n.well-known/x,https://w.example/\n';

  it('can be the code of a link that the owner imports', async () => {
    expect(problems(await importFile(ada, file)).map(([, code]) => code)).toEqual(['.well-known/x']);
    expect(await follow('/docs')).toEqual([302, 'https://docs.example/']);
  });

  it('cannot be imported by other accounts', async () => {
    const html = await importFile(await holder(terse, 'Grace'), file);
    expect(problems(html).map(([, code]) => code)).toEqual(['docs', 'login/now', '.well-known/x']);
  });
});
