import { type Browser, chromium } from 'playwright-core';
import { afterAll } from 'vitest';
import { findChromium } from '../../../scripts/browsers/find.ts';

let shared: Promise<Browser> | undefined;

// Registered for every test file that imports this module.
afterAll(async () => (await shared)?.close());

/** Returns a Chromium without extensions, which starts once for all tests of a file. */
export function sharedChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('Chromium was not found. Run `npm test` to install it.');
  shared ??= chromium.launch({ executablePath, chromiumSandbox: false });
  return shared;
}
