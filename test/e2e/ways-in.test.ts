import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SHIPPED } from './harness/folders.ts';
import { clickAndLeave, resultIn } from './harness/person.ts';
import { BROWSERS, tellStory } from './harness/world.ts';

// Tests all sources of URLs except the popup in both browsers: menus, tabs and selections.
// native/flows.test.ts tests menus with real clicks.

describe.each(BROWSERS)('$name', (kind) => {
  const story = tellStory(kind, { permissions: ['tabs'] });

  test('after a click in the context menu the popup shows the result, which is the same link each time', async () => {
    const { backend, browser, page } = story;
    const tab = await browser.openTab(page('/menu'));
    await browser.clickMenu(tab, { menuItemId: 'shorten-page' });
    const popup = await browser.popup();
    const shortUrl = await resultIn(popup);
    await popup.getByText('Copied', { exact: true }).waitFor();
    await popup.close();
    expect(await browser.clipboard()).toBe(`http://${shortUrl}`);

    await tab.bringToFront();
    await browser.clickMenu(tab, { menuItemId: 'shorten-page' });
    const again = await browser.popup();
    expect(await resultIn(again)).toBe(shortUrl);
    await again.getByRole('button', { name: 'Shorten again' }).waitFor();
    await again.getByText('Copied', { exact: true }).waitFor();
    await again.close();
    await tab.close();
    expect(backend.links()).toEqual([page('/menu')]);
  });

  test('the links of a selection and the tabs of the window are added after the user grants permission', async () => {
    const { backend, browser, page } = story;
    const before = backend.links();
    const tab = await browser.openTab(page('/selection'));
    await tab.evaluate(`document.body.innerHTML =
      '<p>Read <a href="https://a.example/x">this</a></p><a href="https://b.example/">not that</a>'`);
    await tab.evaluate("getSelection().selectAllChildren(document.querySelector('p'))");
    const popup = await browser.openPopup(tab);
    await popup.getByRole('button', { name: 'More' }).click();
    await clickAndLeave(popup.getByRole('menuitem', { name: 'Bulk shorten' }));
    const many = await browser.tabAt('/src/pages/bulk/');
    await many.getByRole('button', { name: 'Links in the selection' }).click();
    await many.getByRole('heading', { name: 'List of 1 address' }).waitFor();
    await many.getByRole('button', { name: 'Remove: this' }).waitFor();
    await many.getByRole('button', { name: 'Open tabs' }).click();
    await many.getByRole('button', { name: 'Remove: /selection' }).waitFor();
    expect(backend.links()).toEqual(before);
    await many.close();
    await tab.close();
  });

  // Firefox has no API that returns permission warnings.
  if (kind.name === 'Chromium') {
    test('at installation the browser warns only about the permission for copying', async () => {
      const options = await story.browser.openExtensionPage('options');
      const manifest = JSON.stringify(readFileSync(`${SHIPPED.chrome}/manifest.json`, 'utf8'));
      const warnings = await options.evaluate(`chrome.management.getPermissionWarningsByManifest(${manifest})`);
      expect(warnings).toEqual(['Modify data you copy and paste']);
      await options.close();
    });
  }
});
