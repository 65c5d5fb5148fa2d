import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importFile, outcome, outcomePage, preview, problems, startImport } from '../support/imports.ts';
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

  it('is deleted after an hour', async () => {
    const html = await preview(ada, file);
    terse.clock.now += 3_600_000;
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
