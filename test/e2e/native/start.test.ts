import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Chromium } from '../../../scripts/browsers/chromium.ts';
import { findChromium } from '../../../scripts/browsers/find.ts';
import { evaluateIn, type Target, targets } from '../../../scripts/browsers/targets.ts';
import { isConnected, openBrowser, showPage } from '../../../scripts/start/browser.ts';
import { SHIPPED, tempFolder, withLoopbackGranted } from '../harness/folders.ts';
import { start } from '../harness/start.ts';
import { until } from '../harness/until.ts';
import { givenBackend, givenDisplay } from '../harness/world.ts';

// Chromium only, because `npm start` opens no other browser.

test('`npm start` opens a browser with the extension on a display, and Ctrl-C closes the browser', async () => {
  const display = await givenDisplay();
  const folder = tempFolder('start');
  const settings = { DISPLAY: display.name, TERSE_CHROMIUM: withoutSandbox(folder) };
  const { untilPrinted, output, stop } = start(folder, settings);
  await untilPrinted('Press Ctrl-C to stop');
  expect(output()).toContain('loaded in the Chromium window that just opened');
  // The form in the browser is filled in. The user needs the link again to connect a second browser.
  expect(output()).toContain('press "Connect"');
  expect(output()).not.toContain('paste');
  expect(output()).toContain('/#key=terse_');
  expect(processesNaming(folder)).not.toEqual([]);
  expect(await stop()).toBe(0);
  await expect.poll(() => processesNaming(folder)).toEqual([]);
});

// Starts three browsers, one after the other.
test('every start opens the filled-in form until the extension is connected, and then a page of the extension', {
  timeout: 300_000,
}, async () => {
  const display = await givenDisplay();
  vi.stubEnv('DISPLAY', display.name);
  onTestFinished(() => void vi.unstubAllEnvs());
  const backend = await givenBackend();
  const extension = withLoopbackGranted(SHIPPED.chrome);
  const profile = join(tempFolder('start'), 'chromium');

  async function open(): Promise<{ chromium: Chromium; hasConnected: boolean; page: Target }> {
    const chromium = await openBrowser(extension, profile);
    if (!chromium) throw new Error('Chromium did not start.');
    onTestFinished(() => chromium.close());
    const hasConnected = await isConnected(chromium);
    await showPage(chromium, hasConnected ? null : backend.connectionLink);
    await until('only one page', async () => (await pagesOf(chromium)).length === 1);
    const [page] = await pagesOf(chromium);
    if (!page) throw new Error('There is no page.');
    expect(await evaluateIn(chromium.cdp, page, 'document.visibilityState')).toBe('visible');
    return { chromium, hasConnected, page };
  }

  for (let starts = 0; starts < 2; starts += 1) {
    const { chromium, hasConnected, page } = await open();
    expect(hasConnected).toBe(false);
    expect(page.url).toContain(`chrome-extension://${chromium.extensionId}/src/pages/welcome/index.html`);
    const ask = <Value>(expression: string) => evaluateIn<Value>(chromium.cdp, page, expression);
    await expect.poll(() => ask("document.querySelector('#address')?.value")).toBe(backend.baseUrl);
    // Without its styles, the page would show the mark as a giant black shape.
    expect(await ask("document.querySelector('svg').getBoundingClientRect().width")).toBeLessThan(100);
    if (starts === 1) {
      const { baseUrl, apiKey } = backend;
      const message = { type: 'save-connection', connectionId: null, name: '', baseUrl, apiKey };
      expect(await ask(`chrome.runtime.sendMessage(${JSON.stringify(message)})`)).toMatchObject({ ok: true });
    }
    await chromium.close();
  }
  const { chromium, hasConnected, page } = await open();
  expect(hasConnected).toBe(true);
  expect(page.url).toBe(`chrome-extension://${chromium.extensionId}/src/pages/links/index.html`);
});

async function pagesOf({ cdp }: Chromium): Promise<Target[]> {
  return (await targets(cdp)).filter(({ type }) => type === 'page');
}

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
