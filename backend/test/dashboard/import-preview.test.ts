import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  beginImport,
  formFields,
  importFile,
  outcome,
  outcomePage,
  preview,
  problems,
  startImport,
} from '../support/imports.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { holder, textOf, type Visitor } from '../support/visitor.ts';

const sample = (name: string) => new Uint8Array(readFileSync(new URL(`../fixtures/imports/${name}`, import.meta.url)));

let terse: TestService;
let ada: Visitor;
beforeEach(async () => {
  terse = await startTestService();
  ada = await holder(terse);
});
afterEach(() => terse.stop());

const links = async () => (await terse.store.links.list(1, null, 100)).map(({ code }) => code).sort();

/** Starts an import with changed options from the preview page. Returns the page of the finished import. */
async function finish(html: string, choice: Record<string, string> = {}): Promise<string> {
  const answer = await startImport(ada, html, choice);
  expect(answer.status).toBe(303);
  return outcomePage(ada, answer.headers.get('location') ?? '');
}

describe('a preview', () => {
  it('shows the detected format and the data that is not imported, and changes nothing', async () => {
    const html = await preview(ada, sample('kutt-api-links-postgres.json'), 'kutt.json');
    const text = textOf(html);
    expect(text).toContain('Preview of kutt.json Detected format: Kutt. Nothing has been imported yet.');
    expect(text).toContain('Links 8 Can be imported 6 With problems 2');
    expect(text).not.toContain('Data that is not imported');
    expect(text).toMatch(/This link has a password\. .* 1 1 This link is banned .* 1 2/);
    expect(text).toContain(
      'pr1vat Problem https://example.com/private Entry 1 · kutt.example.com · This link has a password.',
    );
    expect(await links()).toEqual([]);
    expect(await terse.store.imports.list(1, 1)).toEqual([]);
  });

  it.each([
    ['Sink', 'sink-legacy-api-list.json'],
    ['Shlink', 'shlink-rest-v3-short-urls.json'],
    ['Dub', 'dub-export-default-columns.csv'],
  ])('warns that short codes of %s are case-sensitive', async (_service, name) => {
    const text = textOf(await preview(ada, sample(name)));
    expect(text).toContain('On this server, a short URL works only as it is written in the file.');
  });

  it('lists redirect rules, sales numbers and surplus tags as not imported', async () => {
    const shlink = textOf(await preview(ada, sample('shlink-rest-v3-short-urls.json')));
    expect(shlink).toContain(
      'Data that is not imported Redirect rules (1 link): all visitors are redirected to the same address Links that',
    );
    const tags = new TextEncoder().encode(`url,tags\nhttps://a.example/,${'x'.repeat(51)}`);
    expect(textOf(await preview(ada, tags))).toContain(
      'Tags with more than 50 characters, or beyond 10 per link (1 link)',
    );
    const dub = new TextEncoder().encode('Short link,Destination URL,Leads\nhttps://dub.sh/a,https://a.example/,2');
    expect(textOf(await preview(ada, dub))).toContain('Leads, conversions and revenue (1 link)');
  });

  it('warns about data that a file does not contain', async () => {
    expect(textOf(await preview(ada, sample('dub-export-default-columns.csv')))).toContain(
      'which links have a password',
    );
    expect(textOf(await preview(ada, sample('shortio-api-links.json')))).toContain('one page of a longer list');
  });

  it('selects only one domain by default', async () => {
    const html = await preview(ada, sample('shlink-importer-standard-comma.csv'));
    expect(textOf(html)).toContain('Links without a domain 4 links, all can be imported go.example.net 1 link');
    const done = await finish(html);
    expect(await links()).toEqual(['a', 'docs', 'launch-26', 'team/2026/plan']);
    expect(problems(done)).toEqual([['5', 'docs', 'This link is on go.example.net, which you did not select.']]);
    expect(await terse.store.links.find(1, 'docs')).toMatchObject({ url: 'https://example.com/docs' });
  });

  it('offers all domains and selects that of the service', async () => {
    const own = new URL(terse.service.addresses.shortBaseUrl).hostname;
    const row = (host: string, at: number) => `https://${host}/c${at},https://example.com/${at}\n`;
    const file = `shortUrl,url\n${row('old.example', 1)}${row('old.example', 2)}${row(own, 3)}`;
    const proposed = await preview(ada, file);
    expect(formFields(proposed)).toMatchObject({ 'domain-1': 'yes' });
    expect(outcome(await finish(proposed))).toMatchObject({ 'New links': '1', 'With problems': '2' });
    expect(await links()).toEqual(['c3']);
    // If the user selects other domains, the same file counts as another import.
    const both = await preview(ada, file);
    expect(outcome(await finish(both, { 'domain-0': 'yes', 'domain-1': 'yes' }))).toMatchObject({
      'New links': '2',
      'Already exist': '1',
    });
  });

  it('without a selected domain imports the default domain', async () => {
    const html = await preview(ada, sample('shlink-importer-standard-comma.csv'));
    expect(outcome(await finish(html, { 'domain-0': '', 'domain-1': '' }))).toMatchObject({ 'New links': '4' });
  });

  it('with all domains selected does not make secret links public', async () => {
    const html = await preview(ada, sample('shortio-api-links.json'));
    const all = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`domain-${at}`, 'yes']));
    await finish(html, all);
    expect(await links()).toEqual(['a', 'docs', 'launch-26', 'old-sale']);
    expect(await terse.store.links.find(1, 'docs')).toMatchObject({ url: 'https://example.com/docs' });
  });

  it('counts all short URLs of a link, and lists each if they fail', async () => {
    await importFile(ada, 'shortCode,url\n3LaUnch,https://else.example/\nlaunch-26,https://else.example/\n');
    const done = await finish(await preview(ada, sample('UNPROVEN-bitly-csv-variant-a.csv')));
    expect(outcome(done)).toMatchObject({ 'New links': '3', 'With problems': '4', 'Rows processed': '7 of 7' });
    expect(problems(done).map(([line, code]) => [line, code])).toEqual([
      ['3', '3LaUnch, launch-26'],
      ['4', '3DoCsXx, docs'],
    ]);
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

  it('is replaced by the next upload of its account', async () => {
    const first = await preview(ada, file);
    await preview(ada, 'url\nhttps://two.example/\n');
    expect((await startImport(ada, first)).status).toBe(410);
  });

  it('is deleted after an hour', async () => {
    const html = await preview(ada, file);
    terse.clock.now += 3_600_000;
    const gone = await startImport(ada, html);
    expect([gone.status, textOf(await gone.text())]).toEqual([410, expect.stringContaining('Choose the file again')]);
    expect(await links()).toEqual([]);
    await terse.store.uploads.forget(terse.clock.now - 3_600_000);
    expect(await terse.store.uploads.begin(1, 'token', 1, 1, terse.clock.now)).not.toBeNull();
  });

  it('is imported once, even if the button is pressed repeatedly', async () => {
    const html = await preview(ada, 'url\nhttps://one.example/\n');
    await Promise.all([startImport(ada, html), startImport(ada, html)]);
    await expect.poll(() => links()).toHaveLength(1);
  });

  it('stays complete if another process that also got the form takes over the import', async () => {
    const html = await preview(ada, file);
    const { begin } = terse.store.imports;
    vi.spyOn(terse.store.imports, 'begin').mockImplementation(async (given) => {
      const run = await begin(given);
      await begin({ ...given, runner: 'other process' });
      return run;
    });
    const cleanUp = vi.spyOn(terse.store.imports, 'forget');
    expect((await startImport(ada, html)).status).toBe(303);
    await expect.poll(() => cleanUp.mock.calls.length).toBe(1);
    const upload = await terse.store.uploads.find(1, formFields(html).token ?? '', 0);
    const piece = await terse.store.uploads.piece(upload?.id ?? 0, 0);
    expect(Buffer.from(piece ?? []).toString()).toBe(file);
  });

  it('shows its import if the form is sent again, even after the import has ended', async () => {
    const html = await preview(ada, 'url\nhttps://one.example/\n');
    const path = (await startImport(ada, html)).headers.get('location') ?? '';
    await outcomePage(ada, path);
    await expect.poll(async () => (await startImport(ada, html)).headers.get('location')).toBe(path);
    expect((await startImport(ada, html, { again: 'yes' })).headers.get('location')).toBe(path);
    expect(await links()).toHaveLength(1);
  });

  it('can be confirmed again with another choice after it was refused', async () => {
    await importFile(ada, file);
    const html = await (await startImport(ada, await preview(ada, file))).text();
    expect(html).toContain('You already imported this file');
    expect((await startImport(ada, html, { again: 'yes' })).status).toBe(303);
  });
});

it('an import shows its page while it runs', async () => {
  const path = await beginImport(ada, 'url\nhttps://one.example/\n');
  expect(await outcomePage(ada, path)).toContain('The import is finished');
});
