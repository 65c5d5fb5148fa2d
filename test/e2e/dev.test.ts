import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../backend/test/support/raw.ts';
import { reloadExtension } from '../../scripts/browsers/reload.ts';
import { watchExtension } from '../../scripts/dev/watch-extension.ts';
import { SHIPPED, tempFolder } from './harness/folders.ts';
import { until } from './harness/until.ts';
import { givenChromium } from './harness/world.ts';

// Chromium only, because `npm run dev` cannot reload Firefox.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BACKEND = ['backend', 'contract', 'design'];
const INPUTS = ['src', 'public', 'scripts', 'manifest.json', 'package.json', 'tsconfig.base.json', 'vite.config.ts'];

function copyOfTree(inputs: string[]): string {
  const root = tempFolder('dev');
  for (const input of inputs) cpSync(join(ROOT, input), join(root, input), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return root;
}

test('a source change is built and reloaded, and the development build has no extra permissions', async () => {
  const root = copyOfTree(INPUTS);
  const outDir = join(root, 'dev', 'chrome');
  const watchers = await watchExtension({ root, mode: 'chrome', outDir });
  onTestFinished(async () => void (await Promise.all(watchers.map((watcher) => watcher.close()))));
  const browser = await givenChromium({ extension: outDir });
  const manifest = (folder: string) => readFileSync(join(folder, 'manifest.json'), 'utf8');
  expect(manifest(outDir)).toBe(manifest(SHIPPED.chrome));

  // `npm run dev` also reloads the extension after every build. One change may cause two builds, and only a reload
  // after the second build loads its result.
  for (const watcher of watchers)
    watcher.on('event', ({ code }) => void (code === 'END' && reloadExtension(browser.running).catch(() => {})));
  const page = join(root, 'src', 'pages', 'options', 'index.html');
  writeFileSync(page, readFileSync(page, 'utf8').replace('<html', '<html data-changed'));
  const isChanged = async () => {
    const options = await browser.openExtensionPage('options');
    const found = await options.locator('html[data-changed]').count();
    await options.close();
    return found > 0;
  };
  // Reloading the extension closes its pages, so the evaluation may fail.
  await until('the changed page', () => isChanged().catch(() => false));
});

test('the backend restarts after a source change, and Ctrl-C stops all processes', { timeout: 300_000 }, async () => {
  const root = copyOfTree([...INPUTS, ...BACKEND]);
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(process.execPath, [join(root, 'scripts', 'dev.ts'), '--no-browser'], {
    env: { ...process.env, TERSE_LISTEN: address, TERSE_SHORT_LISTEN: '127.0.0.1:0' },
  });
  const ended = once(child, 'exit');
  onTestFinished(() => void child.kill());
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => output.push(String(text)));
  const starts = () => output.join('').split('"message":"listening"').length - 1;
  // The wait includes the first build of the extension.
  const isStarted = () => starts() === 1 && output.join('').includes('Ctrl-C to stop');
  await until('the backend', isStarted, 110_000);
  expect(output.join('')).toContain(`http://${address}/#key=terse_`);

  const source = join(root, 'backend', 'src', 'main.ts');
  writeFileSync(source, `${readFileSync(source, 'utf8')}\n`);
  await until('another start of the backend', () => starts() >= 2);
  // The file system may report a change twice, so the backend may restart twice.
  const isThere = () => fetch(`http://${address}/healthz`).then(({ status }) => status === 200);
  await until('a response of the backend', () => isThere().catch(() => false));
  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
  await expect(fetch(`http://${address}/healthz`)).rejects.toThrow();
});
