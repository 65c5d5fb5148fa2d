import { once } from 'node:events';
import type { Profiler } from 'node:inspector';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { calledFunctions, listedFiles } from './support/flow-files.ts';
import type { ServeProcess } from './support/process.ts';
import { post } from './support/service.ts';
import { folderForFile } from './support/test-folder.ts';
import { PASSWORD, type Visitor, visit } from './support/visitor.ts';

/** Periodic work may run at the same time as a request, so only files that run each time belong to a flow. */
const REPETITIONS = 5;

const folder = folderForFile();
let serving: ServeProcess;
let inspector: WebSocket;
let key: string;
let visitor: Visitor;

beforeAll(async () => {
  const limits = { TERSE_THROTTLE: '1000', TERSE_DAILY_QUOTA: '1000' };
  serving = await folder.serve({ ...limits, NODE_OPTIONS: '--inspect=127.0.0.1:0' });
  inspector = new WebSocket(/ws:\/\/\S+/.exec(serving.stderr())?.[0] ?? '');
  await once(inspector, 'open');
  await inspect('Profiler.enable');
  await inspect('Profiler.startPreciseCoverage', { callCount: true });
  key = (await folder.run(['keys', 'create', '--name', 'a'])).stdout.trim();
  visitor = visit({ service: serving });
  const { pathname } = new URL((await folder.run(['accounts', 'setup'])).stdout.trim());
  await visitor.post(pathname, { name: 'Ada', password: PASSWORD, again: PASSWORD });
});

afterAll(() => inspector.close());

async function inspect(method: string, params = {}): Promise<unknown> {
  inspector.send(JSON.stringify({ id: 1, method, params }));
  const [{ data }] = (await once(inspector, 'message')) as [{ data: string }];
  return JSON.parse(data).result;
}

/** Returns the files whose functions have run since the last call of this function. */
async function takeFiles(): Promise<string[]> {
  const { result } = (await inspect('Profiler.takePreciseCoverage')) as Profiler.TakePreciseCoverageReturnType;
  return result
    .filter((script) => calledFunctions(script).length > 0)
    .flatMap(({ url }) => /(?:backend\/src\/|(?=contract\/src\/))(.+)/.exec(url)?.[1] ?? []);
}

/** Returns the files that run in each repetition, sorted by path. The first one also fills caches. */
async function filesOf(flow: (repetition: number) => Promise<unknown>): Promise<string[]> {
  await flow(0);
  await takeFiles();
  const runs: string[][] = [];
  for (let repetition = 1; repetition <= REPETITIONS; repetition += 1) {
    await flow(repetition);
    runs.push(await takeFiles());
  }
  const [first = [], ...others] = runs;
  return first.filter((file) => others.every((run) => run.includes(file))).sort();
}

const create = async (): Promise<string> => {
  const response = await fetch(`${serving.addresses.api}/api/shorten`, post(key, { url: 'https://example.com/' }));
  return ((await response.json()) as { shortUrl: string }).shortUrl;
};

it('a request that creates a link runs the files that the architecture lists', async () => {
  const files = await filesOf(create);
  expect(files).toEqual(listedFiles('From `POST /api/shorten` to its response'));
  expect(files.length).toBeLessThanOrEqual(20);
});

it('the page of a link runs the files that the architecture lists', async () => {
  const { pathname } = new URL(await create());
  const files = await filesOf(() => visitor.page(`/links${pathname}`));
  expect(files).toEqual(listedFiles('From the request for the page of a link to its chart'));
  expect(files.length).toBeLessThanOrEqual(26);
});

// The last test, because its clicks are counted later.
it('the first redirect of a link runs the files that the architecture lists', async () => {
  const shortUrls: string[] = [];
  while (shortUrls.length <= REPETITIONS) shortUrls.push(await create());
  const files = await filesOf((repetition) => fetch(shortUrls[repetition] ?? '', { redirect: 'manual' }));
  expect(files).toEqual(listedFiles('From a click on a short URL to its redirect'));
  expect(files.length).toBeLessThanOrEqual(14);
});
