import { describe, expect, it } from 'vitest';
import { runImport } from '../../src/import/run-import.ts';
import type { Store } from '../../src/store/open-store.ts';
import type { Import } from '../../src/store/sql/import-queries.ts';
import { importFile, outcome, outcomePage, preview, startImport } from '../support/imports.ts';
import { RULES, surveyOf } from '../support/survey.ts';
import { ownerForEach, textOf } from '../support/visitor.ts';

const { terse, ada } = ownerForEach();

const links = () => terse.store.links.list(1, null, 2000);
const imports = () => terse.store.imports.list(1, 100);

/** Imports at least `rows` rows of a file, like a process that is stopped or killed during the import. */
async function importPart(text: string, rows: number, dies = false): Promise<number> {
  const { file, preview: survey } = await surveyOf(text);
  const begun = (await terse.store.imports.begin({
    accountId: 1,
    uploadId: 0,
    name: 'cut.csv',
    total: survey.total,
    fingerprint: file.fingerprint,
    runner: 'a process that is gone',
    now: terse.clock.now,
  })) as Import;
  const stopping = new AbortController();
  const imports: Store['imports'] = {
    ...terse.store.imports,
    async apply(...batch) {
      const applied = await terse.store.imports.apply(...batch);
      const now = await terse.store.imports.get(1, begun.id);
      if (now && now.made + now.refused >= rows) stopping.abort();
      return applied;
    },
    ...(dies ? { leave: async () => {} } : {}),
  };
  if (rows === 0) stopping.abort();
  const services = { store: { ...terse.store, imports }, clock: () => terse.clock.now, rowQuota: null };
  await runImport({ ...services, stopping: stopping.signal }, begun, { file, rules: RULES });
  return begun.id;
}

describe('an import', () => {
  it('that was stopped shows this at once, and how to continue', async () => {
    const id = await importPart('url\nhttps://one.example/\nhttps://two.example/\n', 0);
    expect(textOf(await ada.page(`/links/import/${id}`))).toContain(
      'The import stopped after 0 of 2 rows. Choose the same file again to continue.',
    );
    expect(textOf(await ada.page('/links/import'))).toContain('cut.csv Stopped');
  });

  it('whose process died counts as stopped after some time', async () => {
    const id = await importPart('url\nhttps://one.example/\n', 0, true);
    expect(await ada.page(`/links/import/${id}`)).toContain(
      '<noscript><meta http-equiv="refresh" content="1"></noscript>',
    );
    expect(textOf(await ada.page(`/links/import/${id}`))).toContain(
      'If the server stops, choose the same file again to continue.',
    );
    terse.clock.now += 60_000;
    const html = await ada.page(`/links/import/${id}`);
    expect(textOf(html)).toContain('The import stopped after 0 of 1 row. Choose the same file again to continue.');
    expect(html).not.toContain('refresh');
  });
});

describe('a file whose import is finished', () => {
  const file = 'url,title\nhttps://one.example/,One\nhttps://two.example/,Two\n';

  it('is imported again, and the preview says what this means', async () => {
    await importFile(ada, file);
    const html = await preview(ada, file);
    expect(textOf(html)).toContain(
      'You already imported this file on 1 Jul 2026, 12:00 UTC . If you import it again, links without a short code become new links.',
    );
    expect(await links()).toHaveLength(2);
    const path = (await startImport(ada, html)).headers.get('location') ?? '';
    expect(outcome(await outcomePage(ada, path))).toMatchObject({ 'New links': '2' });
    expect(await links()).toHaveLength(4);
  });
});

it('only the latest imports are stored', async () => {
  for (let at = 0; at < 22; at += 1) {
    await importFile(ada, `url\nnonsense${at}\n`);
    terse.clock.now += 1;
  }
  await expect
    .poll(async () => (await imports()).map(({ id }) => id))
    .toEqual(Array.from({ length: 20 }, (_, at) => 22 - at));
  expect(await terse.store.imports.errors(2, 0, 1)).toEqual([]);
  expect(await terse.store.imports.errors(3, 0, 1)).toHaveLength(1);
  expect(await ada.page('/links/import')).toContain('/links/import/3"');
});
