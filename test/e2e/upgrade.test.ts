import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SHIPPED, tempFolder, withLoopbackGranted } from './harness/folders.ts';
import { resultIn } from './harness/person.ts';
import { connect, givenBackend, givenChromium, givenSite, HOST } from './harness/world.ts';

// Tests that the data survives the move of an unpacked extension. native/rebuilt.test.ts tests updates of the build.

test('Chromium: an unpacked extension in a moved folder keeps its id and data', async () => {
  const [backend, site] = await Promise.all([givenBackend(), givenSite()]);
  const page = `http://${HOST}:${site.port}/`;
  const first = withLoopbackGranted(SHIPPED.chrome);
  const before = await givenChromium({ extension: first });
  expect(before.running.extensionId).toBe('ghpkilajoelmdhoeikapoemmeomdbgna');
  await connect(before, backend.connectionLink);
  const popup = await before.openPopup(await before.openTab(page));
  await popup.getByRole('button', { name: 'Shorten this page' }).click();
  const shortUrl = await resultIn(popup);
  await before.close();

  const second = join(tempFolder('unpacked'), 'second');
  renameSync(first, second);
  const after = await givenChromium({ extension: second, profile: before.profile });
  expect(after.running.extensionId).toBe(before.running.extensionId);
  // The extension remembers the URL, the API key and the link, so the same page gets its existing short URL
  // immediately.
  expect(await resultIn(await after.openPopup(await after.openTab(page)))).toBe(shortUrl);
  expect(backend.links()).toEqual([page]);
});
