import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SHIPPED, withLoopbackGranted } from './harness/extension-copy.ts';
import { openPopup, openTab } from './harness/pages.ts';
import { connect } from './harness/person.ts';
import { givenBackend, givenChromium, givenSite, HOST } from './harness/world.ts';

// In Chromium alone: it counts what is among the permissions as granted, and Firefox asks about optional ones all the same.
test('the links of a selection and the tabs of the window are added once the person has allowed it', async () => {
  const extension = withLoopbackGranted(SHIPPED.chrome);
  const file = join(extension, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const permissions = [...manifest.permissions, 'tabs', 'scripting'];
  writeFileSync(file, JSON.stringify({ ...manifest, permissions }));
  const [backend, site, browser] = await Promise.all([givenBackend(), givenSite(), givenChromium({ extension })]);
  await connect(browser, backend.connectionLink);
  const page = await openTab(browser, `http://${HOST}:${site.port}/selection`);
  await page.evaluate(() => {
    document.body.innerHTML =
      '<p>Read <a href="https://a.example/x">this</a></p><a href="https://b.example/">not that</a>';
    getSelection()?.selectAllChildren(document.querySelector('p') as Element);
  });

  const popup = await openPopup(browser, page);
  const opened = browser.context.waitForEvent('page');
  await popup.getByRole('button', { name: 'Many at once' }).click();
  const many = await opened;
  await many.getByRole('button', { name: 'Links of the selection' }).click();
  await many.getByText('1 of 1 chosen').waitFor();
  await many.getByRole('checkbox', { name: /a\.example\/x/ }).waitFor();
  await many.getByRole('button', { name: 'Tabs of this window' }).click();
  await many.getByRole('checkbox', { name: /\/selection/ }).waitFor();
  expect(backend.links()).toEqual([]);
});
