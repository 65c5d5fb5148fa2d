import { expect, test } from 'vitest';
import { givenPage, openDashboard } from './harness/dashboard.ts';
import { until } from './harness/until.ts';

const dashboard = openDashboard();

const FIGURES =
  'Object.fromEntries([...document.querySelectorAll("[data-import-figure]")].map((shown) => ' +
  '[shown.dataset.importFigure, Number(shown.textContent.replaceAll(",", ""))]))';

test('during an import, the created, unchanged and refused rows always add up to the processed rows', async () => {
  const { backend } = dashboard;
  const page = await givenPage();
  await dashboard.signInAsOwner(page);
  const seen = new Set<number>();
  // A slow machine may show only the end of an import, so the test imports up to nine files.
  for (let file = 0; file < 9 && seen.size < 3; file += 1) {
    const rows = Array.from({ length: 20_000 }, (_, at) => (at % 2 ? 'nonsense' : `https://example.com/${file}/${at}`));
    await page.goto(`${backend.baseUrl}/links/import`);
    const buffer = Buffer.from(`url\n${rows.join('\n')}\n`);
    await page.getByLabel('File', { exact: true }).setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByRole('button', { name: 'Import' }).click();
    await until('the end of the import', async () => {
      const {
        made = 0,
        unchanged = 0,
        refused = 0,
        handled = 0,
      } = (await page.evaluate(FIGURES).catch(() => ({}))) as Record<string, number>;
      expect(made + unchanged + refused).toBe(handled);
      seen.add(handled);
      return handled === 20_000;
    });
  }
  expect(seen.size).toBeGreaterThan(2);
});

test.each([true, false])('an import shows its progress and its errors (JavaScript: %s)', async (javaScriptEnabled) => {
  const { backend } = dashboard;
  const page = await givenPage({ javaScriptEnabled });
  await dashboard.signInAsOwner(page);
  const rows = Array.from({ length: 5_000 }, (_, at) => `bulk-${javaScriptEnabled}-${at},https://example.com/${at}`);
  const file = `shortCode,url\n${rows.join('\n')}\nbad,nonsense\n`;
  await page.goto(`${backend.baseUrl}/links/import`);
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
  await page.getByRole('button', { name: 'Check file' }).click();
  await page.getByRole('button', { name: 'Import' }).click();
  expect(await page.locator('.facts').innerText()).toContain('5,001');
  await page.getByText('The import is finished').waitFor();
  expect(await page.locator('.facts').innerText()).toContain('5,000');
  await page.getByRole('cell', { name: 'Please enter a valid URL.' }).waitFor();
});
