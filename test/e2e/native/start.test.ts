import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findChromium } from '../../../scripts/browsers/find.ts';
import { openDisplay } from '../harness/display.ts';
import { start } from '../harness/start.ts';
import { tempFolder } from '../harness/temp.ts';
import { until } from '../harness/until.ts';

// In Chromium alone: `npm start` opens no other browser.

test('where there is a screen a browser with the extension opens, and Ctrl-C closes it too', async () => {
  const display = await openDisplay();
  onTestFinished(() => display.close());
  const folder = tempFolder('start');
  const { untilPrinted, stop } = start(folder, { DISPLAY: display.name, TERSE_CHROMIUM: withoutSandbox(folder) });
  await untilPrinted('loaded in the Chromium window that has just opened');
  expect(processesNaming(folder)).not.toEqual([]);
  expect(await stop()).toBe(0);
  await expect.poll(() => processesNaming(folder)).toEqual([]);
});

test('once the person has closed the window, Ctrl-C still ends all of it', async () => {
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

/** A Chromium for systems that allow no sandbox, which the tests have to run on and a person's browser does not. */
function withoutSandbox(folder: string): string {
  const file = join(folder, 'chromium');
  writeFileSync(file, `#!/bin/sh\nexec '${findChromium()}' --no-sandbox "$@"\n`);
  chmodSync(file, 0o755);
  return file;
}

/** The ids of the processes that have the folder in their arguments, as every process of a browser has its profile. */
function processesNaming(folder: string): string[] {
  return readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  });
}
