import { expect, it } from 'vitest';
import { sharedChromium } from './harness/dashboard.ts';
import { givenBackend } from './harness/world.ts';

it("the reference page sends a request with the user's own key, and contacts no other server", async () => {
  const backend = await givenBackend();
  const page = await (await sharedChromium()).newPage({ colorScheme: 'dark' });
  const asked = new Set<string>();
  const complaints: string[] = [];
  page.on('request', (request) => asked.add(new URL(request.url()).origin));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));

  await page.goto(`${backend.baseUrl}/docs`);
  await page.getByRole('button', { name: 'Authorize' }).click();
  const dialog = page.locator('.dialog-ux');
  await dialog.locator('input').first().fill(backend.apiKey);
  await dialog.locator('.auth-container', { hasText: 'bearer' }).getByRole('button', { name: 'Apply' }).click();
  await dialog.getByRole('button', { name: 'Close' }).first().click();

  const operation = page.locator('#operations-Shorten-shorten');
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table');
  await answer.getByText('shortUrl').waitFor();
  expect(await answer.locator('tbody .response-col_status').first().innerText()).toContain('200');
  expect(backend.links()).toEqual(['https://en.wikipedia.org/wiki/Otter']);

  expect(await page.locator('main').count()).toBe(1);
  const headings = page.locator('h1, h2, h3, h4, h5, h6').filter({ visible: true });
  const levels = await headings.evaluateAll((found) => found.map(({ tagName }) => Number(tagName[1])));
  expect(levels.slice(0, 3)).toEqual([1, 2, 3]);
  expect(levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1)).toEqual([]);
  expect(complaints).toEqual([]);
  expect([...asked].filter((origin) => origin !== 'null')).toEqual([backend.baseUrl]);
  expect(await page.locator('html').getAttribute('class')).toContain('dark-mode');
});
