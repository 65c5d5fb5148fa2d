import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHIPPED, tempFolder, withLoopbackGranted } from '../../test/e2e/harness/folders.ts';

/**
 * Path of an empty page that is added to the measured extension. Benchmarks run their scripts in this page or compare
 * other pages with it.
 */
export const EMPTY_PAGE = 'empty.html';

/** Creates a copy of the built extension that has an empty page and permission to access loopback addresses. */
export function benchedExtension(): string {
  const folder = withLoopbackGranted(SHIPPED.chrome);
  writeFileSync(join(folder, EMPTY_PAGE), EMPTY_HTML);
  return folder;
}

/** Creates the smallest possible extension: an empty page, and a background worker that answers no message. */
export function tinyExtension(): string {
  const folder = join(tempFolder('tiny'), 'extension');
  mkdirSync(folder);
  const manifest = { manifest_version: 3, name: 'Tiny', version: '1', background: { service_worker: 'worker.js' } };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, EMPTY_PAGE), EMPTY_HTML);
  writeFileSync(join(folder, 'worker.js'), 'chrome.runtime.onMessage.addListener(() => {});');
  return folder;
}

const EMPTY_HTML = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Empty</title><p>Empty.</p></html>';
