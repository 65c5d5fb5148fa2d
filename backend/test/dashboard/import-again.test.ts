import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/domain/clock-and-random.ts';
import { previewImport } from '../../src/import/preview-import.ts';
import { runImport } from '../../src/import/run-import.ts';
import { fileOf, importFile, outcome, preview, problems, startImport } from '../support/imports.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { holder, textOf, type Visitor } from '../support/visitor.ts';

let terse: TestService;
let ada: Visitor;
beforeEach(async () => {
  terse = await startTestService();
  ada = await holder(terse);
});
afterEach(() => terse.stop());

const links = () => terse.store.links.list(1, null, 2000);
const imports = () => terse.store.imports.list(1, 100);

/** Allows any number of rows. */
const targets = { ownUrls: [], allowPrivate: false, maxUrlBytes: 8192, blocks: () => false };
const domains = { shortBaseUrls: ['https://t.example'] as const, foldsCase: false };
const rules = { targets, ...domains, random: systemRandom, mayUseReserved: true };

async function survey(text: string) {
  const { total, domains, source } = await previewImport(fileOf(text), rules, terse.clock.now);
  const order = { source, domains: new Set(domains.map(({ domain }) => domain)), rules };
  return { total, fingerprint: Buffer.from(source.fingerprint, 'hex'), order };
}

/** Imports only the first rows of a file, like a process that is stopped or killed during the import. */
async function importPart(text: string, rows: number, dies = false): Promise<number> {
  const { total, fingerprint, order } = await survey(text);
  const begun = await terse.store.imports.begin({
    accountId: 1,
    name: 'cut.csv',
    total,
    fingerprint,
    runner: 'a process that is gone',
    again: false,
    now: terse.clock.now,
  });
  let asked = 0;
  const isStopping = () => {
    asked += 1;
    return asked > rows;
  };
  const imports = dies ? { ...terse.store.imports, leave: async () => {} } : terse.store.imports;
  const store = { ...terse.store, imports };
  await runImport({ store, clock: () => terse.clock.now, rowQuota: null, isStopping }, begun, order);
  return begun.id;
}

describe.each([
  ['with short codes', 'shortCode,url', (at: number) => `row-${at},https://example.com/${at}`],
  ['without short codes', 'url', (at: number) => `https://example.com/${at}`],
])('an import %s that was stopped', (_, header, row) => {
  const rows = Array.from({ length: 1000 }, (_, at) => (at % 100 === 50 ? `nonsense${at}` : row(at)));
  const file = `${header}\n${rows.join('\n')}\n`;

  it.each([
    ['was stopped', false],
    ['died', true],
  ])('continues if the file is uploaded again after its process %s', async (_, dies) => {
    const id = await importPart(file, 555, dies);
    expect(await terse.store.imports.get(1, id)).toMatchObject({ made: 396, refused: 4, finishedAt: null });
    const html = await importFile(ada, file);
    expect(outcome(html)).toEqual({
      'New links': '990',
      'Already exist': '0',
      'With problems': '10',
      'Rows processed': '1,000 of 1,000',
    });
    expect(problems(html).map(([line]) => line)).toEqual(Array.from({ length: 10 }, (_, at) => String(at * 100 + 52)));
    expect(await links()).toHaveLength(990);
    expect(await imports()).toMatchObject([{ id, finishedAt: terse.clock.now, runner: null }]);
  });

  it('cannot be continued by another account', async () => {
    await importPart(file, 555);
    const grace = await holder(terse, 'Grace');
    await importFile(grace, 'url\nhttps://example.com/\n');
    expect(await imports()).toMatchObject([{ made: 396, finishedAt: null }]);
  });
});

describe('an import', () => {
  it('that was stopped shows this at once, and how to continue', async () => {
    const id = await importPart('url\nhttps://one.example/\nhttps://two.example/\n', 1);
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

  it('is continued by one process only', async () => {
    const text = `url\n${Array.from({ length: 1000 }, (_, at) => `https://example.com/${at}`).join('\n')}`;
    const { total, fingerprint, order } = await survey(text);
    const given = {
      accountId: 1,
      name: 'cut.csv',
      total,
      fingerprint,
      runner: 'first',
      again: false,
      now: terse.clock.now,
    };
    const first = await terse.store.imports.begin(given);
    const parts = { store: terse.store, clock: () => terse.clock.now, rowQuota: null };
    let asked = 0;
    let second: Promise<void> | null = null;
    const isStopping = () => {
      asked += 1;
      if (asked === 500) {
        second = terse.store.imports
          .begin({ ...given, runner: 'second' })
          .then((taken) => runImport({ ...parts, isStopping: () => false }, taken, order));
      }
      return false;
    };
    await runImport({ ...parts, isStopping }, first, order);
    await second;
    expect(await links()).toHaveLength(1000);
    expect(await imports()).toMatchObject([{ made: 1000, refused: 0, finishedAt: terse.clock.now }]);
  });
});

describe('a file whose import is finished', () => {
  const file = 'url,title\nhttps://one.example/,One\nhttps://two.example/,Two\n';

  it('is not imported again without confirmation', async () => {
    await importFile(ada, file);
    const answer = await startImport(ada, await preview(ada, file));
    expect(answer.status).toBe(400);
    const html = await answer.text();
    expect(textOf(html)).toContain(
      'You already imported this file on 1 Jul 2026, 12:00 UTC , so nothing was imported.',
    );
    expect(html).toContain('name="again"');
    expect(await links()).toHaveLength(2);
    expect(await imports()).toHaveLength(1);
  });

  it('is imported again on request', async () => {
    await importFile(ada, file);
    const asked = await startImport(ada, await preview(ada, file));
    const answer = await startImport(ada, await asked.text(), { again: 'yes' });
    expect(answer.status).toBe(303);
    while ((await imports())[0]?.finishedAt === null) await ada.page('/links/import');
    expect(await links()).toHaveLength(4);
    expect(await ada.page('/links/import')).not.toContain('name="again"');
  });

  it('is new to another account', async () => {
    await importFile(ada, file);
    expect(outcome(await importFile(await holder(terse, 'Grace'), file))).toMatchObject({ 'New links': '2' });
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
