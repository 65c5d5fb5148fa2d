import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SHIPPED, withLoopbackGranted } from './harness/extension-copy.ts';
import { openPopup, openTab } from './harness/pages.ts';
import { connect, resultIn, shortenPage } from './harness/person.ts';
import { tempFolder } from './harness/temp.ts';
import { givenBackend, givenChromium, givenSite, HOST } from './harness/world.ts';

// Tests that the data survives the move of an unpacked extension. native/rebuilt.test.ts tests updates of the build.

test('Chromium: an unpacked extension in a moved folder keeps its id and data', async () => {
  const [backend, site] = await Promise.all([givenBackend(), givenSite()]);
  const page = `http://${HOST}:${site.port}/`;
  const first = join(tempFolder('unpacked'), 'first');
  renameSync(withLoopbackGranted(SHIPPED.chrome), first);
  const before = await givenChromium({ extension: first });
  expect(before.extensionId).toBe('ghpkilajoelmdhoeikapoemmeomdbgna');
  await connect(before, backend.connectionLink);
  const shortUrl = await resultIn(await shortenPage(before, page));
  await before.close();

  const second = join(tempFolder('unpacked'), 'second');
  renameSync(first, second);
  const after = await givenChromium({ extension: second, profile: before.profile });
  expect(after.extensionId).toBe(before.extensionId);
  // The extension remembers the URL, the API key and the link, so the same page gets its existing short URL
  // immediately.
  expect(await resultIn(await openPopup(after, await openTab(after, page)))).toBe(shortUrl);
  expect(backend.links()).toEqual([page]);
});
