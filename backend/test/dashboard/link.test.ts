import { encode } from 'uqr';
import { describe, expect, it } from 'vitest';
import { link } from '../support/store.ts';
import { ownerForEach, PASSWORD, textOf } from '../support/visitor.ts';

const { terse, ada } = ownerForEach();

const make = (code: string, more: Record<string, string> = {}) =>
  ada.post('/links', { url: `https://example.com/${code}`, code, ...more });

describe('the page of a link', () => {
  async function clickTimes(code: string, times: number, headers: Record<string, string> = {}) {
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';
    for (let at = 0; at < times; at += 1)
      await terse.visit(`/${code}`, { headers: { 'User-Agent': agent, ...headers } });
    await terse.service.clicks.settle();
  }

  it('shows clicks, referrers and, separately, bots', async () => {
    await make('busy');
    await clickTimes('busy', 3, { Referer: 'https://news.example.org/story' });
    await clickTimes('busy', 2);
    await clickTimes('busy', 1, { 'User-Agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' });
    const html = await ada.page('/links/busy');
    const text = textOf(html);
    expect(text).toContain('5 clicks in 30 days 1 visitor. 1 bot, not counted. 5 clicks in total.');
    expect(text).toContain('1 Jul 2026, so far: 5 clicks, 1 visitor, 1 bot');
    expect(text).toMatch(/Referrers Clicks news\.example\.org 3 Direct 2/);
    expect(text).toMatch(/Browsers Clicks Firefox 5/);
    expect(text).toMatch(/Systems Clicks Linux 5/);
    expect(
      [...html.matchAll(/class="chart-bar"[^>]*height="([\d.]+)"/g)].map(([, height]) => Number(height) > 0).at(-1),
    ).toBe(true);
    expect(textOf(await ada.page('/links'))).toContain(' 5 clicks ');
  });

  it('shows the requested period', async () => {
    await make('old1');
    await clickTimes('old1', 4);
    terse.clock.now += 10 * 86_400_000;
    await ada.post('/sign-in', { name: 'Ada', password: PASSWORD });
    await clickTimes('old1', 1);
    const clicksIn = async (period: string) =>
      / (\d+) clicks? in \d+ (?:hours|days|months) /.exec(textOf(await ada.page(`/links/old1?period=${period}`)))?.[1];
    expect(await clicksIn('day')).toBe('1');
    expect(await clicksIn('week')).toBe('1');
    expect(await clicksIn('month')).toBe('5');
    expect(await clicksIn('year')).toBe('5');
    expect(await clicksIn('bogus')).toBe('5');
  });

  it('escapes or omits referrers and browsers', async () => {
    await make('evil2');
    await clickTimes('evil2', 1, { Referer: 'javascript:alert(1)//<script>alert(1)</script>' });
    await clickTimes('evil2', 1, { 'User-Agent': '<script>alert(1)</script>/1.0', Referer: 'https://<b>.example/' });
    const html = await ada.page('/links/evil2');
    expect(html).not.toMatch(/<script>alert|<b>|javascript:/);
    expect(textOf(html)).toMatch(/\d clicks? in 30 days/);
  });

  it('has a QR code to download as SVG', async () => {
    await make('code1');
    const svg = await ada.get('/links/code1/qr.svg');
    expect([svg.headers.get('content-type'), svg.headers.get('content-disposition')]).toEqual([
      'image/svg+xml; charset=utf-8',
      'attachment; filename="qr-code1.svg"',
    ]);
    const drawing = await svg.text();
    const runs = [...drawing.matchAll(/M(\d+) (\d+)h(\d+)v1/g)].map((found) => found.slice(1).map(Number));
    const dark = new Set(
      runs.flatMap(([x = 0, y = 0, length = 0]) => Array.from({ length }, (_, at) => `${x + at},${y}`)),
    );
    const { data } = encode(`${terse.service.addresses.shortBaseUrl}/code1`, { border: 4, ecc: 'M' });
    const expected = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x},${y}`] : [])));
    expect(dark).toEqual(new Set(expected));
  });
});

it('a deletion is not shown if an edited address names a deletion that never happened', async () => {
  await make('there');
  for (const invented of ['deletedAt=1', 'deletedAt=<b>', 'restored=<b>', 'made=nothing']) {
    expect(await ada.page(`/links?${invented}`)).not.toMatch(/deleted|restored|is ready|<b>/);
  }
});

describe('an edit', () => {
  const edit = (code: string, more: Record<string, string> = {}) =>
    ada.post(`/links/${code}`, { url: `https://example.com/${code}`, title: '', expiresAt: '', ...more });
  const leadsTo = async (code: string) => {
    const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0' };
    return (await terse.visit(`/${code}`, { headers })).headers.get('location');
  };

  it('changes the long URL at once and keeps the clicks', async () => {
    await make('story', { title: 'A story' });
    expect(await leadsTo('story')).toBe('https://example.com/story');
    const answer = await edit('story', { url: ' https://example.com/a new story', title: 'New' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/links/story?done=saved']);
    expect(await leadsTo('story')).toBe('https://example.com/a%20new%20story');
    await terse.service.clicks.settle();
    expect(await terse.store.links.find(1, 'story')).toMatchObject({ title: 'New', clicks: 2 });
    expect(textOf(await ada.page('/links/story?done=saved'))).toContain('The link was saved.');
  });

  it.each([
    [{ url: '' }, 'url', 'Please enter a valid URL.'],
    [{ title: 'x'.repeat(301) }, 'title', /at most 300/],
    [{ expiresAt: 'nonsense' }, 'expiresAt', /not a date/],
    [{ expiresAt: '2026-07-01T12:00' }, 'expiresAt', 'This time has passed. Please choose one in the future.'],
  ])('to %j changes nothing and shows the reason next to the field', async (fields, field, sentence) => {
    await make('later', { title: 'Old' });
    const answer = await edit('later', fields);
    const html = await answer.text();
    expect([answer.status, /id="(\w+)-problem">([^<]*)</.exec(html)?.slice(1)]).toEqual([
      400,
      [field, expect.stringMatching(sentence)],
    ]);
    expect([...html.matchAll(/id="(\w+)"[^>]*\bautofocus\b/g)].map(([, id]) => id)).toEqual([field]);
    expect(await terse.store.links.find(1, 'later')).toMatchObject({
      url: 'https://example.com/later',
      title: 'Old',
      expiresAt: null,
    });
  });

  it('changes tags and query forwarding, which the form shows', async () => {
    await make('tagged', { tags: ' one ,, Two', forwardQuery: 'true' });
    const html = await ada.page('/links/tagged');
    expect(html).toContain('id="tags" name="tags" type="text" value="one, Two"');
    expect(html.replace(/\s+/g, ' ')).toContain('<option value="true" selected>Yes</option>');
    expect(textOf(html)).toContain('Default of this server (no)');
    expect(textOf(html)).toMatch(/Created .* one Two /);
    expect(await terse.store.links.find(1, 'tagged')).toMatchObject({ tags: ['one', 'Two'], forwardQuery: true });
    await edit('tagged', { tags: 'Two', forwardQuery: 'false' });
    expect(await terse.store.links.find(1, 'tagged')).toMatchObject({ tags: ['Two'], forwardQuery: false });
    await edit('tagged', { tags: '', forwardQuery: '' });
    expect(await terse.store.links.find(1, 'tagged')).toMatchObject({ tags: [], forwardQuery: null });
  });

  it('of the title keeps the other fields, even if they would no longer be valid', async () => {
    const { id } = (await terse.store.links.create(
      1,
      link(['kept'], { url: 'http://192.168.0.1/', expiresAt: Date.parse('2026-07-01T11:59:30Z') }),
      terse.clock.now,
    )) as { id: number };
    const html = await ada.page('/links/kept');
    const [, expiresAt = ''] = /name="expiresAt"[^>]*value="([^"]*)"/.exec(html) ?? [];
    expect(expiresAt).toBe('2026-07-01T11:59');
    expect((await edit('kept', { url: 'http://192.168.0.1/', title: 'Router', expiresAt })).status).toBe(303);
    expect(await terse.store.links.find(1, 'kept')).toMatchObject({
      id,
      url: 'http://192.168.0.1/',
      title: 'Router',
      expiresAt: Date.parse('2026-07-01T11:59:30Z'),
    });
  });

  it('of the expiry takes effect at once and can be undone', async () => {
    await make('later');
    await edit('later', { expiresAt: '2026-07-01T12:01' });
    expect((await terse.visit('/later')).status).toBe(302);
    terse.clock.now += 60_000;
    expect((await terse.visit('/later')).status).toBe(410);
    expect(textOf(await ada.page('/links/later'))).toMatch(/Expired .* expired 1 Jul 2026, 12:01 UTC/);
    await edit('later', { expiresAt: '' });
    expect((await terse.visit('/later')).status).toBe(302);
  });
});

describe('times', () => {
  const inKolkata = () => {
    ada.cookie += '; terse-zone=Asia/Kolkata';
  };

  it('are in the time zone of the browser, in pages and in fields', async () => {
    await make('when', { expiresAt: '2026-07-02T06:30' });
    inKolkata();
    const html = await ada.page('/links/when');
    expect(textOf(html)).toContain('Created 1 Jul 2026, 17:30 GMT+5:30 · expires 2 Jul 2026, 12:00 GMT+5:30');
    expect(html).toMatch(/name="expiresAt"[^>]*value="2026-07-02T12:00"/);
    expect(html).toContain('Never if left empty. Time in your time zone, Asia/Calcutta.');
    expect(textOf(await ada.page('/links'))).toContain('expires 2 Jul 2026, 12:00 GMT+5:30');
    expect(await ada.page('/links/when?period=day')).toContain('1 Jul 2026, 17:30 GMT+5:30, so far: 0 clicks');
  });

  it('are in the time zone of the cookie that only this host can set', async () => {
    await make('when');
    ada.cookie += '; terse-zone=Asia/Tokyo; __Host-terse-zone=Asia/Kolkata';
    expect(textOf(await ada.page('/links/when'))).toContain('Created 1 Jul 2026, 17:30 GMT+5:30');
  });

  it('typed into a form use its time zone, even if the browser’s time zone has changed', async () => {
    await make('when', { expiresAt: '2026-07-01T17:31', zone: 'Asia/Kolkata' });
    expect(await terse.store.links.find(1, 'when')).toMatchObject({ expiresAt: Date.parse('2026-07-01T12:01Z') });
    inKolkata();
    const passed = await make('late', { expiresAt: '2026-07-01T13:59', zone: 'Europe/Berlin' });
    expect(await passed.text()).toMatch(/id="expiresAt-problem">This time has passed/);
    await make('later', { expiresAt: '2026-07-01T13:59', zone: 'UTC' });
    expect(await terse.store.links.find(1, 'later')).toMatchObject({ expiresAt: Date.parse('2026-07-01T13:59Z') });
  });

  it('are in UTC, with a note, if the time zone is unknown or invalid', async () => {
    await make('when', { expiresAt: '2026-07-02T06:30', zone: '<b>' });
    expect(await terse.store.links.find(1, 'when')).toMatchObject({ expiresAt: Date.parse('2026-07-02T06:30Z') });
    for (const cookie of ['', '; terse-zone=Nowhere/At-All', '; terse-zone=<b>', '; terse-zone=']) {
      const answer = await ada.get('/links/when', { Cookie: `${ada.cookie}${cookie}` });
      const html = await answer.text();
      expect(textOf(html)).toContain('expires 2 Jul 2026, 06:30 UTC');
      expect(html).toContain('Time in UTC.');
    }
  });
});
