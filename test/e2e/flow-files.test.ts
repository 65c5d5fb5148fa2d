import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calledFunctions, listedFiles } from '../../backend/test/support/flow-files.ts';
import { type Target, targets, workerOf } from '../../scripts/browsers/targets.ts';
import { type Backend, startBackend } from './harness/backend.ts';
import { type ChromiumUnderTest, launchChromium } from './harness/chromium.ts';
import { tempFolder, withLoopbackGranted } from './harness/folders.ts';
import { shortenOther } from './harness/person.ts';
import { type Gate, openGate } from './harness/proxies.ts';
import { startSite } from './harness/site.ts';
import { until } from './harness/until.ts';
import { connect, HOST } from './harness/world.ts';

/** The first run of a flow also runs code that only fills caches, so only files that run each time belong to it. */
const REPETITIONS = 3;

let build: string;
let backend: Backend;
let gate: Gate;
let site: Awaited<ReturnType<typeof startSite>>;
let browser: ChromiumUnderTest;

beforeAll(async () => {
  const mapped = tempFolder('mapped');
  const options = ['--mode', 'chrome', '--outDir', mapped, '--sourcemap', '--minify', 'false', '--logLevel', 'warn'];
  execFileSync('node_modules/.bin/vite', ['build', ...options], { stdio: 'inherit' });
  build = withLoopbackGranted(mapped);
  [backend, site, browser] = await Promise.all([
    startBackend({ TERSE_THROTTLE: '1000', TERSE_DAILY_QUOTA: '1000' }),
    startSite(),
    launchChromium({ extension: build, hosts: [HOST] }),
  ]);
  gate = await openGate(backend.baseUrl);
  await connect(browser, `${gate.baseUrl}/#key=${backend.apiKey}`);
});

afterAll(async () => {
  await browser?.kill();
  await Promise.all([backend?.kill(), site?.close(), gate?.close()]);
});

/** Returns the source file of a function in the build, or an empty list if a package or the bundler added it. */
function sourceOf(text: string, map: SourceMap, offset: number): string[] {
  const lines = text.slice(0, offset).split('\n');
  const entry = map.findEntry(lines.length - 1, lines.at(-1)?.length ?? 0);
  if (!('originalSource' in entry)) return [];
  return /(?:(?<!contract)\/src\/|\/(?=contract\/src\/))(.+)/.exec(entry.originalSource)?.slice(1) ?? [];
}

/** Returns the source files of the functions that ran in a script of the build. */
function filesOf(script: Profiler.ScriptCoverage): string[] {
  const [, path] = /^chrome-extension:\/\/\w+\/(assets\/(?!rolldown-runtime).+|background\.js)/.exec(script.url) ?? [];
  if (!path) return [];
  const text = readFileSync(join(build, path), 'utf8');
  const map = new SourceMap(JSON.parse(readFileSync(join(build, `${path}.map`), 'utf8')));
  return calledFunctions(script).flatMap(({ ranges: [range] }) => sourceOf(text, map, range?.startOffset ?? 0));
}

/** Counts the functions that run in a page or worker. Returns a function that returns their files until it is idle. */
async function watch({ targetId }: Target): Promise<() => Promise<string[]>> {
  const { cdp } = browser.running;
  const { sessionId } = await cdp.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
  const take = async () => {
    const coverage = await cdp.send<{ result: Profiler.ScriptCoverage[] }>(
      'Profiler.takePreciseCoverage',
      {},
      sessionId,
    );
    return coverage.result.flatMap(filesOf);
  };
  await cdp.send('Profiler.enable', {}, sessionId);
  await cdp.send('Profiler.startPreciseCoverage', { callCount: true }, sessionId);
  return async () => {
    const files = new Set<string>();
    await until('the end of the work', async () => {
      const taken = await take();
      for (const file of taken) files.add(file);
      return taken.length === 0;
    });
    return [...files].sort();
  };
}

const worker = () => until('the worker', () => workerOf(browser.running));

async function openPage(path: string) {
  const tab = await browser.openTab(`http://${HOST}:${site.port}/${path}`);
  await browser.inBackground('0');
  return tab;
}

/** Returns the files that are in each run. */
function inEachRun([first = [], ...others]: string[][]): string[] {
  return first.filter((file) => others.every((run) => run.includes(file)));
}

const IN_POPUP = 'From a click in the popup to a link on the clipboard, in the popup:';
const IN_WORKER = 'From a click in the popup to a link on the clipboard, in the worker:';

/** Returns the files that are not in the flow of the worker after a click. */
function otherFiles(files: string[]): string[] {
  return files.filter((file) => !listedFiles(IN_WORKER).includes(file));
}

test('a click in the popup runs the files that the architecture lists until the link is copied', async () => {
  const runs: { popup: string[][]; worker: string[][] } = { popup: [], worker: [] };
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    const tab = await openPage(`click-${repetition}`);
    const popup = await browser.openPopup(tab);
    const button = popup.getByRole('button', { name: 'Shorten this page' });
    await button.waitFor();
    const pages = await targets(browser.running.cdp, 'page');
    const shown = pages.find(({ url }) => url.includes('/pages/popup/')) as Target;
    const [popupFiles, workerFiles] = await Promise.all([watch(shown), watch(await worker())]);
    await button.click();
    await popup.getByText('Copied', { exact: true }).waitFor();
    runs.worker.push(await workerFiles());
    runs.popup.push(await popupFiles());
    await popup.close();
    await tab.close();
  }
  // A popup can miss the state of a request that is sent very quickly.
  expect(listedFiles(IN_POPUP)).toEqual(expect.arrayContaining(inEachRun(runs.popup)));
  expect(runs.popup.flat()).toEqual(expect.arrayContaining(listedFiles(IN_POPUP)));
  expect(inEachRun(runs.worker)).toEqual(listedFiles(IN_WORKER));
});

test('the context menu runs the other files that the architecture lists until the link is copied', async () => {
  const runs: string[][] = [];
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    const tab = await openPage(`menu-${repetition}`);
    const files = await watch(await worker());
    await browser.clickMenu(tab, { menuItemId: 'shorten-page' });
    await expect.poll(() => browser.clipboard()).toContain(backend.shortBaseUrl);
    runs.push(await files());
    await tab.close();
    await browser.copyElsewhere('');
  }
  expect(otherFiles(inEachRun(runs))).toEqual(
    otherFiles(listedFiles('From the context menu to a link on the clipboard,')),
  );
});

test('a killed worker runs the other files that the architecture lists until the link exists', async () => {
  const runs: string[][] = [];
  const popup = await browser.openExtensionPage('popup');
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    const answered = gate.answered.length;
    gate.manner = 'hold';
    await shortenOther(popup, `https://www.example.com/killed-${repetition}`);
    await until('the request to be sent', () => gate.answered.length > answered);
    // The next worker waits for this lock, so that it can be watched before it reads the queues.
    await popup.evaluate(
      "void navigator.locks.request('queues', () => new Promise((release) => { self.release = release; }))",
    );
    await browser.killBackground();
    gate.manner = 'right';
    await popup.evaluate("chrome.alarms.create('queue', { when: Date.now() })");
    const files = await watch(await worker());
    const waiting = "navigator.locks.query().then(({ pending }) => pending.some(({ name }) => name === 'queues'))";
    await until('the worker to wait for the lock', () => popup.evaluate(waiting));
    await files();
    await popup.evaluate('self.release()');
    await popup.getByText('Copied', { exact: true }).waitFor();
    runs.push(await files());
    await popup.getByRole('button', { name: 'Back to this page' }).click();
  }
  expect(otherFiles(inEachRun(runs))).toEqual(
    otherFiles(listedFiles('From a worker that was killed while it sent to a link,')),
  );
});
