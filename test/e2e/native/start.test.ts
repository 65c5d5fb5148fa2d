import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startChromium } from '../../../scripts/browsers/chromium.ts';
import { findChromium } from '../../../scripts/browsers/find.ts';
import { evaluateIn, targets } from '../../../scripts/browsers/targets.ts';
import { showConnectionForm } from '../../../scripts/start/browser.ts';
import { openDisplay } from '../harness/display.ts';
import { start } from '../harness/start.ts';
import { tempFolder } from '../harness/temp.ts';
import { until } from '../harness/until.ts';

// Chromium only, because `npm start` opens no other browser.

test('`npm start` opens a browser with the extension on a display, and Ctrl-C closes the browser', async () => {
  const display = await openDisplay();
  onTestFinished(() => display.close());
  const folder = tempFolder('start');
  const { untilPrinted, stop } = start(folder, { DISPLAY: display.name, TERSE_CHROMIUM: withoutSandbox(folder) });
  await untilPrinted('loaded in the Chromium window that just opened');
  expect(processesNaming(folder)).not.toEqual([]);
  expect(await stop()).toBe(0);
  await expect.poll(() => processesNaming(folder)).toEqual([]);
});

test('after the user has closed the browser window, Ctrl-C still stops `npm start`', async () => {
  const display = await openDisplay();
  onTestFinished(() => display.close());
  const folder = tempFolder('start');
  const { untilPrinted, stop } = start(folder, { DISPLAY: display.name, TERSE_CHROMIUM: withoutSandbox(folder) });
  await untilPrinted('Press Ctrl-C to stop');
  await until('the browser to be closed', () => {
    display.press('ctrl+shift+w');
    return processesNaming(folder).length === 0;
  });
  expect(await stop()).toBe(0);
});

test('the welcome page with the filled-in connection form is the only page, and is in front', async () => {
  const display = await openDisplay();
  onTestFinished(() => display.close());
  const chromium = await startChromium({
    executable: findChromium() ?? '',
    extension: resolve('dist/chrome'),
    profile: tempFolder('start'),
    args: ['--no-sandbox'],
    env: { ...process.env, DISPLAY: display.name },
  });
  onTestFinished(() => chromium.close());
  await showConnectionForm(chromium, 'http://127.0.0.1:8787/#key=terse_abc');
  const pages = async () => (await targets(chromium.cdp)).filter(({ type }) => type === 'page');
  await expect
    .poll(async () => (await pages()).map(({ url }) => url))
    .toEqual([`chrome-extension://${chromium.extensionId}/src/pages/welcome/index.html`]);
  const [page] = await pages();
  if (!page) throw new Error('There is no page.');
  expect(await evaluateIn(chromium.cdp, page, 'document.visibilityState')).toBe('visible');
  await expect
    .poll(() => evaluateIn(chromium.cdp, page, "document.querySelector('#address')?.value"))
    .toBe('http://127.0.0.1:8787');
});

/** Creates a script that starts Chromium without the sandbox, which does not work in containers and for root. */
function withoutSandbox(folder: string): string {
  const file = join(folder, 'chromium');
  writeFileSync(file, `#!/bin/sh\nexec '${findChromium()}' --no-sandbox "$@"\n`);
  chmodSync(file, 0o755);
  return file;
}

/**
 * Returns the ids of processes with this folder in their arguments. All processes of a browser have the profile
 * folder there.
 */
function processesNaming(folder: string): string[] {
  return readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  });
}
