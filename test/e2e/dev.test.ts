import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { watchExtension } from '../../scripts/dev/watch-extension.ts';
import { SHIPPED } from './harness/extension-copy.ts';
import { openExtensionPage } from './harness/pages.ts';
import { tempFolder } from './harness/temp.ts';
import { givenChromium } from './harness/world.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const INPUTS = ['src', 'public', 'scripts', 'manifest.json', 'package.json', 'tsconfig.base.json', 'vite.config.ts'];

test('a change is built and loaded again, and the build may do no more than what ships', async () => {
  const root = tempFolder('dev');
  for (const input of INPUTS) cpSync(join(ROOT, input), join(root, input), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  const outDir = join(root, 'dev', 'chrome');
  const watcher = await watchExtension({ root, mode: 'chrome', outDir });
  onTestFinished(() => watcher.close());
  const browser = await givenChromium({ extension: outDir });
  const manifest = (folder: string) => readFileSync(join(folder, 'manifest.json'), 'utf8');
  expect(manifest(outDir)).toBe(manifest(SHIPPED.chrome));

  const isBuilt = new Promise<void>((resolve) => watcher.onBuilt(resolve));
  const page = join(root, 'src', 'options', 'index.html');
  writeFileSync(page, readFileSync(page, 'utf8').replace('<html', '<html data-changed'));
  await isBuilt;
  await browser.cdp.send('Extensions.loadUnpacked', { path: outDir });
  const options = await openExtensionPage(browser, 'options');
  await options.locator('html[data-changed]').waitFor();
});
