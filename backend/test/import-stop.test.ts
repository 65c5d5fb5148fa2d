import { expect, it } from 'vitest';
import { beginImport, importFile, outcome, preview, problems } from './support/imports.ts';
import type { ServeProcess } from './support/process.ts';
import { folderForFile } from './support/test-folder.ts';
import { PASSWORD, textOf, type Visitor, visit } from './support/visitor.ts';

/** Number of rows. With this many rows, the import is still running when the signal arrives. */
const ROWS = 30_000;
/** Every thousandth row has a problem. */
const row = (at: number) => (at % 1000 === 500 ? 'nonsense' : `https://example.com/${at}`);
const FILE = `url\n${Array.from({ length: ROWS }, (_, at) => row(at)).join('\n')}\n`;

const folder = folderForFile();
let serving: ServeProcess;

async function serve(cookie = '', environment: Record<string, string> = {}): Promise<Visitor> {
  serving = await folder.serve(environment);
  const visitor = visit({ service: { addresses: serving.addresses } });
  visitor.cookie = cookie;
  return visitor;
}

/** Uploads a file and sends the service a signal during the import. Returns the path of the import's page. */
async function cutOff(ada: Visitor, signal: NodeJS.Signals, after: number): Promise<string> {
  const path = await beginImport(ada, FILE);
  while ((await handledOf(ada, path)) <= after);
  await serving.end(signal);
  return path;
}

async function handledOf(ada: Visitor, path: string): Promise<number> {
  return Number.parseInt((outcome(await ada.page(path))['Rows processed'] ?? '').replace(',', ''), 10);
}

it('an import creates each link once, even if the service is stopped and killed meanwhile', async () => {
  let ada = await serve();
  const setup = (await folder.run(['accounts', 'setup'])).stdout.match(/\/welcome\/\S+/)?.[0] ?? '';
  expect((await ada.post(setup, { name: 'Ada', password: PASSWORD, again: PASSWORD })).status).toBe(303);

  const path = await cutOff(ada, 'SIGTERM', 0);
  ada = await serve(ada.cookie);
  expect(await ada.page(path)).toContain('Choose the same file again to continue');
  const handled = await handledOf(ada, path);
  expect(handled).toBeLessThan(ROWS);
  expect(textOf(await preview(ada, FILE))).toMatch(/stopped after [\d,]+ rows?\. It continues with the next row\./);

  expect(await cutOff(ada, 'SIGKILL', handled)).toBe(path);
  ada = await serve(ada.cookie);
  const html = await importFile(ada, FILE);
  expect(outcome(html)).toMatchObject({
    'New links': '29,970',
    'With problems': '30',
    'Rows processed': '30,000 of 30,000',
  });
  expect(problems(html).map(([line]) => Number(line))).toEqual(Array.from({ length: 30 }, (_, at) => at * 1000 + 502));
  const exported = await (await ada.get('/links/export.csv')).text();
  expect(exported.trim().split('\r\n')).toHaveLength(1 + 29_970);
}, 120_000);
