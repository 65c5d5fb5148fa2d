import { beforeEach, expect, it } from 'vitest';
import { importFile } from '../support/imports.ts';
import { post } from '../support/service.ts';
import { holder, ownerForEach, textOf, type Visitor } from '../support/visitor.ts';

const DAY = 86_400_000;

const { terse, ada } = ownerForEach({ TERSE_ACCOUNT_QUOTA: '3', TERSE_IMPORT_QUOTA: '250' });
let grace: Visitor;
beforeEach(async () => {
  grace = await holder(terse, 'Grace');
});

const rows = (count: number, name = 'page') =>
  `shortCode,url\n${Array.from({ length: count }, (_, at) => `${name}-${at},https://example.com/${name}/${at}\n`).join('')}`;

const importText = async (visitor: Visitor, file: string) => textOf(await importFile(visitor, file));

it('the form and the API keys of an account share its daily quota', async () => {
  const made = await grace.post('/keys', { name: 'Laptop', 'scope-create': 'yes' });
  const [, key = ''] = /<code>(terse_[^<]+)<\/code>/.exec(await made.text()) ?? [];
  expect((await terse.ask('/api/shorten', post(key, { url: 'https://example.com/1' }))).status).toBe(200);
  for (const at of [2, 3]) expect((await grace.post('/links', { url: `https://example.com/${at}` })).status).toBe(303);

  const refused = await grace.post('/links', { url: 'https://example.com/4', title: 'Kept' });
  const html = await refused.text();
  expect(refused.status).toBe(429);
  expect(html).toContain('Your account has reached its daily limit of 3 links. Try again after 2 Jul 2026, 00:00 UTC.');
  expect(html).toMatch(/name="url"[^>]*value="https:\/\/example.com\/4"/);
  expect(html).toMatch(/name="title"[^>]*value="Kept"/);
  terse.clock.now += 1000;
  expect((await terse.ask('/api/shorten', post(key, { url: 'https://example.com/4' }))).status).toBe(429);

  terse.clock.now += DAY / 2;
  expect((await grace.post('/links', { url: 'https://example.com/4' })).status).toBe(303);
});

it('an import stops when the daily quota is used up, and continues the next day', async () => {
  expect(await grace.page('/links/import')).toContain(
    'Your account can import 250 more rows until 2 Jul 2026, 00:00 UTC.',
  );
  const file = rows(600);
  expect(await importText(grace, file)).toContain(
    'The import stopped after 250 of 600 rows. Choose the same file again to continue.',
  );
  const refused = await grace.upload('/links/import', 'more.csv', rows(1, 'more'));
  expect([refused.status, await refused.text()]).toEqual([
    429,
    expect.stringContaining(
      'Your account has reached its daily limit of 250 imported rows. Choose the file again after 2 Jul 2026, 00:00 UTC.',
    ),
  ]);
  expect(await grace.page('/links/import')).toContain(
    'Your account can import 0 more rows until 2 Jul 2026, 00:00 UTC.',
  );

  terse.clock.now += DAY / 2;
  expect(await importText(grace, file)).toContain('The import stopped after 500 of 600 rows.');
  terse.clock.now += DAY;
  expect(await importText(grace, file)).toMatch(/The import is finished\. New links 600 /);
});

it('the owner has no quota', async () => {
  for (let at = 0; at < 5; at += 1)
    expect((await ada.post('/links', { url: 'https://example.com/' })).status).toBe(303);
  const key = await terse.newKey({ throttle: 100 });
  for (let at = 0; at < 5; at += 1)
    expect((await terse.ask('/api/shorten', post(key, { url: 'https://example.com/' }))).status).toBe(200);
  expect(await ada.page('/links/import')).not.toContain('more rows');
  expect(await importText(ada, rows(600))).toMatch(/The import is finished\. New links 600 /);
});
