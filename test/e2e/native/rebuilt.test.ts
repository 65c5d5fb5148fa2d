import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reloadExtension } from '../../../scripts/browsers/reload.ts';
import { allowPermission } from '../harness/chromium-on-screen.ts';
import { copyOf, SHIPPED } from '../harness/folders.ts';
import { until } from '../harness/until.ts';
import { givenChromium, givenDisplay } from '../harness/world.ts';

// Chromium only, because Chromium stores the background worker of an unpacked extension in the profile.

/**
 * Code that is added to the newer build's background worker. It answers a message that the older worker does not
 * answer.
 */
const ANSWER =
  "\nchrome.runtime.onMessage.addListener((message, _, reply) => void (message === 'new?' && reply('new')));";

test('a build that changed between two browser starts runs after a reload and keeps its permissions', async () => {
  const display = await givenDisplay();
  const extension = copyOf(SHIPPED.chrome);
  const first = await givenChromium({ extension, display: display.name });
  const options = await first.openExtensionPage('options');
  await options.evaluate(() => {
    const button = document.body.appendChild(document.createElement('button'));
    button.id = 'ask';
    // A fixed position prevents scrolling, which would move white areas to the place of the permission dialog.
    button.style.cssText = 'position: fixed; inset: 0 auto auto 0';
    button.onclick = () => void chrome.permissions.request({ origins: ['http://127.0.0.1/*'] });
  });
  await options.locator('#ask').click();
  await allowPermission(display);
  await first.close();

  appendFileSync(join(extension, 'background.js'), ANSWER);
  const start = () => givenChromium({ extension, display: display.name, profile: first.profile });
  const second = await start();
  await reloadExtension(second.running);
  const page = await until('a page of the newer build', () => second.openExtensionPage('options').catch(() => null));
  expect(await page.evaluate(() => chrome.runtime.sendMessage('new?'))).toBe('new');
  await second.close();

  const third = await (await start()).openExtensionPage('options');
  expect(await third.evaluate(() => chrome.permissions.getAll().then(({ origins }) => origins))).toEqual([
    'http://127.0.0.1/*',
  ]);
});
