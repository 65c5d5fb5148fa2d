import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyDay, hourIn } from '../../src/domain/analytics/daily-counts.ts';
import { FIRST_ACCOUNT } from '../../src/store/interface/store.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { link, NOON } from '../support/store.ts';
import { holder, PASSWORD, textOf, type Visitor, visit } from '../support/visitor.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const HOUR = 3_600_000;

let terse: TestService;
let ada: Visitor;
beforeEach(async () => {
  terse = await startTestService({ TERSE_ACCOUNT_QUOTA: '7', TERSE_IMPORT_QUOTA: '90' });
  ada = await holder(terse);
});
afterEach(() => terse.stop());

const make = async (code: string, more = {}, account = FIRST_ACCOUNT) =>
  (await terse.store.links.create(account, link([code], more), terse.clock.now))?.id as number;
async function clicked(id: number, instant: number, clicks: number): Promise<void> {
  const counts = emptyDay();
  hourIn(counts, new Date(instant).getUTCHours()).clicks = clicks;
  const aggregates = [{ link: id, day: Math.floor(instant / (24 * HOUR)), counts, visitors: new Map() }];
  await terse.store.clicks.apply({ journal: `${id} ${instant}`, from: null, to: '1', aggregates });
}
async function wait(until: number): Promise<void> {
  terse.clock.now = until;
  ada = visit(terse);
  await ada.post('/sign-in', { name: 'Ada', password: PASSWORD });
}
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

  it('compares complete hours of today with yesterday, and names them', async () => {
    const id = await make('one');
    // NOON is 1 July, 12:00 UTC. Half an hour later, twelve hours of that day are complete.
    terse.clock.now = NOON + HOUR / 2;
    for (const [instant, clicks] of [
      [NOON, 5],
      [NOON - HOUR, 1200],
      [NOON - 25 * HOUR, 1000],
      [NOON - 24 * HOUR, 70],
      [NOON - 40 * HOUR, 9000],
    ] as const) {
      await clicked(id, instant, clicks);
    }
    expect(await section(ada, 'Clicks today')).toBe(
      'Clicks today 1,205 +20% 1 Jul, 00:00 to 12:00 UTC: 1,200 Since 12:00 UTC: 5 30 Jun, 00:00 to 12:00 UTC: 1,000',
    );
    expect(await section(ada, 'Clicks this month')).toMatch(
      /^Clicks this month 1,205 1 Jul, 00:00 to 12:00 UTC: 1,200 Since 12:00 UTC: 5 1 Jun, 00:00 to 12:00 UTC: 0$/,
    );
  });

  it('compares a month with the same part of the previous month', async () => {
    const id = await make('one');
    await wait(Date.UTC(2026, 6, 30, 15, 20));
    await clicked(id, Date.UTC(2026, 6, 30, 14), 30);
    await clicked(id, Date.UTC(2026, 5, 30, 14), 40);
    await clicked(id, Date.UTC(2026, 5, 30, 15), 1);
    expect(await section(ada, 'Clicks this month')).toBe(
      'Clicks this month 30 −25% 1 Jul to 30 Jul, 15:00 UTC: 30 1 Jun to 30 Jun, 15:00 UTC: 40',
    );
    await wait(Date.UTC(2026, 6, 31, 15, 20));
    expect(await section(ada, 'Clicks this month')).toContain('1 Jun to 30 Jun, 24:00 UTC: 41');
    await wait(Date.UTC(2026, 7, 1, 0, 20));
    expect(await section(ada, 'Clicks this month')).toContain('There is nothing to compare with before 01:00 UTC.');
    expect(await section(ada, 'Clicks today')).toContain('There is nothing to compare with before 01:00 UTC.');
  });

  it('shows counted clicks without bots', async () => {
    await make('real');
    const headers = { 'User-Agent': FIREFOX };
    for (const more of [{}, {}, { 'Sec-Purpose': 'prefetch' }]) {
      await terse.visit('/real', { headers: { ...headers, ...more } });
    }
    await terse.service.clicks.settle();
    expect(await section(ada, 'Clicks today')).toMatch(/^Clicks today 2 /);
    expect(await section(ada, 'Most clicked')).toContain(
      '/ real otters 2 clicks'.replace('otters', 'https://example.com/'),
    );
  });

  it('lists the links with the most clicks, and the latest, five each', async () => {
    for (let at = 1; at <= 7; at += 1) await clicked(await make(`code-${at}`, { title: `Title ${at}` }), NOON, at % 7);
    const codes = (text: string) => [...text.matchAll(/\/ (code-\d)/g)].map(([, code]) => code);
    expect(codes(await section(ada, 'Most clicked'))).toEqual(['code-6', 'code-5', 'code-4', 'code-3', 'code-2']);
    expect(codes(await section(ada, 'Latest links'))).toEqual(['code-7', 'code-6', 'code-5', 'code-4', 'code-3']);
    expect(await section(ada, 'Latest links')).toContain('code-7 Title 7 1 Jul 2026');
  });

  it('lists imported links by when they were created', async () => {
    await make('made-here');
    await terse.store.links.create(FIRST_ACCOUNT, link(['imported']), terse.clock.now - 1000);
    expect(await section(ada, 'Latest links')).toMatch(/made-here.*imported/);
  });

  it('suggests first steps without links, and says if no link was clicked', async () => {
    expect(textOf(await ada.page('/overview'))).toContain('No links yet Create one ,');
    await make('new');
    expect(await section(ada, 'Most clicked')).toContain('None of your links has been clicked yet.');
  });

  it('shows the limits of accounts and keys; the owner’s account has none', async () => {
    expect(await section(ada, 'Daily limits')).toMatch(
      /Your account has no daily limit, but its API keys do\. Limits reset on 2 Jul 2026, 00:00 UTC ?\. To create links/,
    );
    const grace = await holder(terse, 'Grace');
    await grace.post('/links', { url: 'https://example.com/' });
    const { accountId } = (await terse.store.accounts.credentials('grace')) ?? { accountId: 0 };
    const key = await terse.newAccountKey(accountId);
    await terse.ask('/api/shorten', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
      body: '{"url":"https://example.com/"}',
    });
    const left = await section(grace, 'Daily limits');
    expect(left).toContain('Links Created with your API keys and on this dashboard 5 of 7 left today');
    expect(left).toContain('Imported rows 90 of 90 left today');
    expect(left).toContain('test API key 19 of 20 left today');
  });

  it('shows nothing of other accounts', async () => {
    const grace = await holder(terse, 'Grace');
    await clicked(await make('adas', { title: 'Secret' }), NOON - HOUR, 3);
    const html = await grace.page('/overview');
    expect(html).not.toMatch(/adas|Secret/);
    expect(await section(grace, 'Clicks today')).toMatch(/^Clicks today 0 /);
  });

  it('escapes titles and URLs', async () => {
    const title = '"><script>alert(1)</script>';
    await clicked(await make('evil', { title }), NOON, 1);
    expect(await ada.page('/overview')).not.toContain('<script>alert');
  });
});
