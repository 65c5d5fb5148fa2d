import { describe, expect, it } from 'vitest';
import { dayOf, hourOf } from '../../src/domain/analytics/day-counts.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { addAndCount, clicksOn } from '../support/clicks.ts';
import { importFile } from '../support/imports.ts';
import { post } from '../support/service.ts';
import { FIREFOX, link, NOON } from '../support/store.ts';
import { holder, ownerForEach, textOf, type Visitor } from '../support/visitor.ts';

const HOUR = 3_600_000;

const { terse, ada } = ownerForEach({ TERSE_ACCOUNT_QUOTA: '3', TERSE_IMPORT_QUOTA: '250' });

const make = async (code: string, more = {}, account = FIRST_ACCOUNT) =>
  (await terse.store.links.create(account, link([code], more), terse.clock.now))?.id as number;
async function clicked(id: number, instant: number, clicks: number): Promise<void> {
  await addAndCount(terse.store, clicksOn(id, dayOf(instant), hourOf(instant), clicks));
}
/** Returns the text of the overview's section with this heading. */
const section = async (visitor: Visitor, heading: string) => {
  const html = await visitor.page('/overview');
  const found = html.split('<section').find((part) => part.includes(`>${heading}</h2>`)) ?? '';
  return textOf(`<section${found}`.split('</section>')[0] ?? '');
};

describe('the overview', () => {
  it('is the first page after signing in', async () => {
    expect((await ada.get('/')).headers.get('location')).toBe('/overview');
    expect(await ada.page('/overview')).toContain('href="/overview" aria-current="page"');
  });

  it('shows the clicks of thirty days', async () => {
    const id = await make('one');
    for (const [instant, clicks] of [
      [NOON, 5],
      [NOON - HOUR, 1120],
      [NOON - 24 * HOUR, 70],
      [NOON - 29 * 24 * HOUR, 9000],
      [NOON - 30 * 24 * HOUR, 4000],
    ] as const) {
      await clicked(id, instant, clicks);
    }
    const html = await ada.page('/overview');
    const text = textOf(html);
    expect(text).toContain('10,195 clicks in 30 days 1,125 today');
    expect(html.match(/class="chart-column/g)).toHaveLength(30);
    expect(text).toContain('2 Jun 2026: 9,000 clicks');
    expect(text).toContain('1 Jul 2026, so far: 1,125 clicks');
    expect(html.match(/is-running/g)).toHaveLength(1);
  });

  it('shows counted clicks without bots', async () => {
    await make('real');
    const headers = { 'User-Agent': FIREFOX };
    for (const more of [{}, {}, { 'Sec-Purpose': 'prefetch' }]) {
      await terse.visit('/real', { headers: { ...headers, ...more } });
    }
    await terse.service.clicks.settle();
    expect(textOf(await ada.page('/overview'))).toContain('2 clicks in 30 days 2 today');
    expect(await section(ada, 'Most clicked')).toMatch(/example\.com .*\/ real 2 clicks/);
  });

  it('lists the links with the most clicks, and the latest, five each', async () => {
    for (let at = 1; at <= 7; at += 1) await clicked(await make(`code-${at}`, { title: `Title ${at}` }), NOON, at % 7);
    const codes = (text: string) => [...text.matchAll(/\/ (code-\d)/g)].map(([, code]) => code);
    expect(codes(await section(ada, 'Most clicked'))).toEqual(['code-6', 'code-5', 'code-4', 'code-3', 'code-2']);
    expect(codes(await section(ada, 'Latest links'))).toEqual(['code-7', 'code-6', 'code-5', 'code-4', 'code-3']);
    expect(await section(ada, 'Latest links')).toMatch(/Title 7 .*\/ code-7 1 Jul 2026/);
  });

  it('sorts imported links by their original creation time', async () => {
    await make('made-here');
    await terse.store.links.create(FIRST_ACCOUNT, link(['imported']), terse.clock.now - 1000);
    expect(await section(ada, 'Latest links')).toMatch(/made-here.*imported/);
  });

  it('suggests first steps if there are no links, and says if no link was clicked', async () => {
    expect(textOf(await ada.page('/overview'))).toContain('No links yet Create one here,');
    await make('new');
    expect(await section(ada, 'Most clicked')).toContain('No link has been clicked yet.');
  });

  it('shows how much of the quota of an invited account is left', async () => {
    const limits = async (visitor: Visitor) =>
      /.*<p class="help">(.*?)<\/p>/s.exec(await visitor.page('/overview'))?.[1];
    await make('one');
    expect(await limits(ada)).toBeUndefined();
    const grace = await holder(terse, 'Grace');
    await grace.post('/links', { url: 'https://example.com/' });
    expect(await limits(grace)).toBe('2 of 3 links left today. More at 00:00 UTC.');
    grace.cookie += '; terse-zone=Asia/Kolkata';
    expect(await limits(grace)).toBe('2 of 3 links left today. More at 05:30.');
  });

  it('shows nothing of other accounts', async () => {
    const grace = await holder(terse, 'Grace');
    await clicked(await make('adas', { title: 'Secret' }), NOON - HOUR, 3);
    const html = await grace.page('/overview');
    expect(html).not.toMatch(/adas|Secret/);
    await grace.post('/links', { url: 'https://example.com/' });
    expect(textOf(await grace.page('/overview'))).toContain('0 clicks in 30 days');
  });
});

const DAY = 86_400_000;

const rows = (count: number, name = 'page') =>
  `shortCode,url\n${Array.from({ length: count }, (_, at) => `${name}-${at},https://example.com/${name}/${at}\n`).join('')}`;

const importText = async (visitor: Visitor, file: string) => textOf(await importFile(visitor, file));

it('the form and the API keys of an account share its daily quota', async () => {
  const grace = await holder(terse, 'Grace');
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
  const grace = await holder(terse, 'Grace');
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
