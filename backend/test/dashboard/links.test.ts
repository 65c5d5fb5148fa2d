import { inflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { holder, PASSWORD, textOf, type Visitor } from '../support/visitor.ts';

let terse: TestService;
let ada: Visitor;
beforeEach(async () => {
  terse = await startTestService();
  ada = await holder(terse);
});
afterEach(() => terse.stop());

const make = (code: string, more: Record<string, string> = {}) =>
  ada.post('/links', { url: `https://example.com/${code}`, code, ...more });
/** The codes on a page, in its order. */
const codesOn = (html: string) =>
  [...html.matchAll(/<li class="link">.*?href="\/links\/([^"]+)"/gs)].map(([, code]) => code);

describe('a link', () => {
  it('is made, with a code made up where none is given, and leads on', async () => {
    const answer = await ada.post('/links', { url: ' HTTPS://Example.com/a b ', title: ' A  title ' });
    expect(answer.status).toBe(303);
    const [, code = ''] = /made=(\w{7})$/.exec(answer.headers.get('location') ?? '') ?? [];
    expect(textOf(await ada.page(`/links?made=${code}`))).toMatch(new RegExp(`Your link is ready: \\S+ ?${code}`));
    expect((await terse.visit(`/${code}`)).headers.get('location')).toBe('https://example.com/a%20b');
    expect(await terse.store.links.find(1, code)).toMatchObject({ title: 'A title' });
  });

  it.each([
    [{ url: 'javascript:alert(1)' }, 'url', 'Please enter a valid URL.'],
    [{ url: '' }, 'url', 'Please enter a valid URL.'],
    [{ url: 'http://127.0.0.1/' }, 'url', /^This service does not link there/],
    [{ code: 'a' }, 'code', /3 to 64/],
    [{ code: 'Admin' }, 'code', /reserved/],
    [{ code: 'taken' }, 'code', 'This short code is taken.'],
    [{ expiresAt: '2026-07-01T12:00' }, 'expiresAt', /in the future/],
    [{ expiresAt: 'soon' }, 'expiresAt', /not a date/],
    [{ title: 'x'.repeat(301) }, 'title', /at most 300/],
  ])('is not made of %j, and says so next to the field', async (fields, field, sentence) => {
    await make('taken');
    const answer = await ada.post('/links', { url: 'https://example.com/', ...fields });
    expect(answer.status).toBe(400);
    const [, at, message] = /id="(\w+)-problem">([^<]*)</.exec(await answer.text()) ?? [];
    expect([at, message]).toEqual([field, expect.stringMatching(sentence)]);
    expect(codesOn(await ada.page('/links'))).toEqual(['taken']);
  });

  it('shows its clicks of days chosen one by one, or says what is wrong with them', async () => {
    await make('seen');
    const month = await ada.page('/links/seen');
    const [, query = ''] = /href="\/links\/seen\?(from=[^"]*)" >Choose days</.exec(month) ?? [];
    // At first, the days that were shown already.
    expect(query).toBe('from=2026-06-02&amp;to=2026-07-01');
    const chosen = await ada.page(`/links/seen?${query.replace('&amp;', '&')}`);
    expect(chosen).toMatch(/aria-current="true">Choose days</);
    expect(chosen).toContain('Clicks by day, 2 Jun – 1 Jul 2026'.replaceAll(' – ', '\u2009–\u2009'));
    const [, form = ''] =
      /<form class="inline-form days-form" method="get" action="\/links\/seen"(.*?)<\/form>/s.exec(chosen) ?? [];
    expect(form).toMatch(/name="from" type="date" value="2026-06-02".*name="to" type="date" value="2026-07-01"/s);
    const wrong = await ada.get('/links/seen?from=2026-07-02&to=2026-07-01"><b>');
    const html = await wrong.text();
    expect([wrong.status, html]).toEqual([400, expect.stringContaining('id="to-problem">Please choose a day')]);
    expect(html).toContain('value="2026-07-01&quot;&gt;&lt;b&gt;"');
    expect(html).not.toContain('class="chart"');
  });

  it.each([
    ['example.com/page', 'https://example.com/page'],
    [' example.com:8080/page?q#f ', 'https://example.com:8080/page?q#f'],
    ['münchen.example', 'https://münchen.example'],
  ])('typed without a scheme, as %j, is offered with https', async (url, offered) => {
    const answer = await ada.post('/links', { url });
    const html = await answer.text();
    expect([answer.status, html]).toEqual([400, expect.stringContaining('id="url-problem">We added https://')]);
    expect(html).toContain(`id="url" name="url" type="url" value="${offered}"`);
    expect((await ada.post('/links', { url: offered })).status).toBe(303);
  });

  it.each([
    'otters',
    'two words.example',
    'javascript:alert(1)',
    '127.0.0.1/x',
    'ftp://example.com/',
    'user@example.com',
  ])('%j is not taken for an address without its scheme', async (url) => {
    const html = await (await ada.post('/links', { url })).text();
    expect(html).toMatch(/id="url-problem">(Please enter a valid URL|This service does not link there)/);
    expect(html).toContain(`name="url" type="url" value="${url}"`);
  });

  it.each([
    [{ code: 'a', title: 'x'.repeat(301) }, 'code'],
    [{ url: 'nonsense', code: 'a', expiresAt: 'soon' }, 'url'],
    [{ expiresAt: '2026-01-01T00:00' }, 'expiresAt'],
  ])('that is refused as %j has the focus on the first wrong field', async (fields, first) => {
    const html = await (await ada.post('/links', { url: 'https://example.com/', ...fields })).text();
    const focused = [...html.matchAll(/<input [^>]*id="(\w+)"[^>]*\bautofocus\b/g)].map(([, id]) => id);
    expect(focused).toEqual([first]);
  });
});

describe('an edit', () => {
  const edit = (code: string, more: Record<string, string> = {}) =>
    ada.post(`/links/${code}`, { url: `https://example.com/${code}`, title: '', expiresAt: '', ...more });
  const leadsTo = async (code: string) => {
    const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0' };
    return (await terse.visit(`/${code}`, { headers })).headers.get('location');
  };

  it('changes where a link leads at once, and its clicks stay', async () => {
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
    [{ url: 'http://127.0.0.1/' }, 'url', /^This service does not link there/],
    [{ url: 'example.com/else' }, 'url', /^We added https/],
    [{ title: 'x'.repeat(301) }, 'title', /at most 300/],
    [{ expiresAt: 'nonsense' }, 'expiresAt', /not a date/],
    [{ expiresAt: '2026-07-01T12:00' }, 'expiresAt', 'This time has passed. Please choose one in the future.'],
  ])('to %j changes nothing, and says why next to the field', async (fields, field, sentence) => {
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

  it('of the title leaves the rest as it was, even what would no longer be taken', async () => {
    const { id } = (await terse.store.links.create(
      1,
      { codes: ['kept'], url: 'http://192.168.0.1/', title: null, expiresAt: Date.parse('2026-07-01T11:59:30Z') },
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

  it('of the expiry holds at once, and can be taken back', async () => {
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

  it('are in the zone of the browser, in pages and in fields', async () => {
    await make('when', { expiresAt: '2026-07-02T06:30' });
    inKolkata();
    const html = await ada.page('/links/when');
    expect(textOf(html)).toContain('Created 1 Jul 2026, 17:30 GMT+5:30 · expires 2 Jul 2026, 12:00 GMT+5:30');
    expect(html).toMatch(/name="expiresAt"[^>]*value="2026-07-02T12:00"/);
    expect(html).toContain('In your time zone, Asia/Calcutta.');
    expect(textOf(await ada.page('/links'))).toContain('until 2 Jul 2026, 12:00 GMT+5:30');
    expect(await ada.page('/links/when?period=day')).toContain('1 Jul 2026, 17:30 GMT+5:30: 0 clicks');
  });

  it('typed into a form are in the zone that the form names, whatever the browser says by then', async () => {
    await make('when', { expiresAt: '2026-07-01T17:31', zone: 'Asia/Kolkata' });
    expect(await terse.store.links.find(1, 'when')).toMatchObject({ expiresAt: Date.parse('2026-07-01T12:01Z') });
    inKolkata();
    const passed = await make('late', { expiresAt: '2026-07-01T13:59', zone: 'Europe/Berlin' });
    expect(await passed.text()).toMatch(/id="expiresAt-problem">This time has passed/);
    await make('later', { expiresAt: '2026-07-01T13:59', zone: 'UTC' });
    expect(await terse.store.links.find(1, 'later')).toMatchObject({ expiresAt: Date.parse('2026-07-01T13:59Z') });
  });

  it('are in UTC, and say so, where the zone is unknown or invented', async () => {
    await make('when', { expiresAt: '2026-07-02T06:30', zone: '<b>' });
    expect(await terse.store.links.find(1, 'when')).toMatchObject({ expiresAt: Date.parse('2026-07-02T06:30Z') });
    for (const cookie of ['', '; terse-zone=Nowhere/At-All', '; terse-zone=<b>', '; terse-zone=']) {
      const html = await visitWith(`${ada.cookie}${cookie}`);
      expect(textOf(html)).toContain('expires 2 Jul 2026, 06:30 UTC');
      expect(html).toContain('In UTC.');
    }
  });

  async function visitWith(cookie: string): Promise<string> {
    return (await ada.get('/links/when', { Cookie: cookie })).text();
  }
});

describe('a deletion', () => {
  it('is deleted at once, and comes back when that is undone on the page that says so', async () => {
    await make('oops');
    expect((await terse.visit('/oops')).status).toBe(302);
    const answer = await ada.post('/links/oops/delete', { list: '/links?search=o&order=oldest' });
    expect((await terse.visit('/oops')).status).toBe(410);
    const address = answer.headers.get('location') ?? '';
    expect(address).toBe('/links?search=o&order=oldest&deleted=oops');
    const html = await ada.page(address);
    expect(html).toContain('You can undo this on this page until <time');
    const [, deletedAt = ''] = /name="deletedAt" value="(\d+)"/.exec(html) ?? [];
    const undone = await ada.post('/links/oops/restore', { deletedAt, list: '/links?search=o&order=oldest' });
    expect(undone.headers.get('location')).toBe('/links?search=o&order=oldest&restored=oops');
    expect((await terse.visit('/oops')).status).toBe(302);
    expect((await ada.post('/links/oops/restore', { deletedAt })).status).toBe(410);
  });

  it('that was deleted long ago, or by another deletion, stays deleted', async () => {
    await make('gone');
    await ada.post('/links/gone/delete');
    const deletedAt = String(terse.clock.now);
    expect((await ada.post('/links/gone/restore', { deletedAt: String(terse.clock.now - 1) })).status).toBe(410);
    terse.clock.now += 86_400_001;
    expect((await ada.post('/links/gone/restore', { deletedAt })).status).toBe(410);
    for (const nonsense of ['', 'NaN', '1e400', '-1', 'x']) {
      expect((await ada.post('/links/gone/restore', { deletedAt: nonsense })).status).toBeGreaterThanOrEqual(404);
    }
    for (const code of ['%00', '..%2f', 'unknown']) {
      expect((await ada.post(`/links/${code}/delete`)).status).toBe(404);
      expect((await ada.post(`/links/${code}/restore`, { deletedAt })).status).toBeGreaterThanOrEqual(404);
    }
    expect((await make('gone')).status).toBe(400);
    expect((await ada.get('/links/gone')).status).toBe(404);
  });

  it('says nothing of a deletion that an edited address invents', async () => {
    await make('there');
    for (const invented of ['deleted=there', 'deleted=nothing', 'restored=nothing', 'made=nothing', 'deleted=<b>']) {
      expect(await ada.page(`/links?${invented}`)).not.toMatch(/is deleted|is restored|is ready|<b>/);
    }
  });

  it('has a QR code to take along, as SVG and as PNG', async () => {
    await make('code1');
    const svg = await ada.get('/links/code1/qr.svg');
    expect([svg.headers.get('content-type'), svg.headers.get('content-disposition')]).toEqual([
      'image/svg+xml',
      'attachment; filename="qr-code1.svg"',
    ]);
    const drawing = await svg.text();
    const png = Buffer.from(await (await ada.get('/links/code1/qr.png')).arrayBuffer());
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    // The same modules in both: a dark run of the drawing is dark in the picture.
    const size = Number(/viewBox="0 0 (\d+)/.exec(drawing)?.[1]);
    expect(png.readUInt32BE(16)).toBe(size * 16);
    const lines = inflateSync(png.subarray(png.indexOf('IDAT') + 4, png.indexOf('IEND') - 8));
    const width = (size * 16) / 8 + 1;
    const isDark = (x: number, y: number) => lines[y * 16 * width + 1 + x * 2] === 0;
    const runs = [...drawing.matchAll(/M(\d+) (\d+)h(\d+)v1/g)].map((found) => found.slice(1).map(Number));
    const dark = new Set(
      runs.flatMap(([x = 0, y = 0, length = 0]) => Array.from({ length }, (_, at) => `${x + at},${y}`)),
    );
    for (let y = 0; y < size; y += 1) {
      for (let x = 0; x < size; x += 1) expect(isDark(x, y), `${x},${y}`).toBe(dark.has(`${x},${y}`));
    }
  });
});

describe('the list', () => {
  it('is searched in titles, addresses and codes, without regard to case', async () => {
    await make('alpha', { title: 'Ünïted' });
    await make('beta', { url: 'https://news.example/ALPHABET' });
    await make('gamma');
    expect(codesOn(await ada.page('/links?search=alpha'))).toEqual(['beta', 'alpha']);
    expect(codesOn(await ada.page('/links?search=%C3%BCN%C3%8FT'))).toEqual(['alpha']);
    expect(textOf(await ada.page('/links?search=%3Cb%3Enope'))).toContain(
      'Nothing found No title, address or code contains “ &lt;b&gt;nope ”',
    );
  });

  it('comes in every order, in pages that follow one another', async () => {
    for (let at = 0; at < 60; at += 1) {
      const link = { codes: [`link${at}`], url: 'https://example.com/', title: null, expiresAt: null };
      await terse.store.links.create(1, link, terse.clock.now);
    }
    for (const [order, first, last] of [
      ['newest', 'link59', 'link0'],
      ['oldest', 'link0', 'link59'],
      ['clicks', 'link59', 'link0'],
    ] as const) {
      const one = await ada.page(`/links?order=${order}`);
      const [, next = ''] = /href="([^"]+)" rel="next"/.exec(one) ?? [];
      const two = await ada.page(next.replaceAll('&amp;', '&'));
      const codes = [...codesOn(one), ...codesOn(two)];
      expect([codes.length, new Set(codes).size, codes[0], codes.at(-1)]).toEqual([60, 60, first, last]);
      expect(two).not.toContain('rel="next"');
    }
  });

  it('makes nothing of a nonsensical query', async () => {
    await make('one');
    expect(codesOn(await ada.page('/links?order=bogus&after=../x&search='))).toEqual(['one']);
    expect((await ada.get('/links?after=%00&deleted=%00&search=%F0%9F')).status).toBe(200);
  });
});

describe('hostile text', () => {
  it('of another direction is cut off at its own end: the line is what has the direction', async () => {
    await make('hebrew', { title: 'מדריך שדה' });
    expect(await ada.page('/links')).toContain('<bdi class="line link-title">מדריך שדה</bdi>');
  });

  it('in titles and addresses is only ever text', async () => {
    const title = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
    await make('evil', { title, url: `https://evil.example/?'"><script>alert(1)</script>` });
    for (const path of ['/links', '/links/evil', '/links?search=%22%3E%3Cscript%3E', '/links?made=evil']) {
      const html = await ada.page(path);
      expect(html).not.toMatch(/<script>alert|<img src=x/);
      expect(html).not.toMatch(/href="https?:\/\/evil/);
    }
    await ada.post('/links/evil/delete');
    expect(await ada.page('/links?deleted=evil')).not.toMatch(/<script>alert/);
  });
});

describe('the page of a link', () => {
  async function clickTimes(code: string, times: number, headers: Record<string, string> = {}) {
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';
    for (let at = 0; at < times; at += 1)
      await terse.visit(`/${code}`, { headers: { 'User-Agent': agent, ...headers } });
    await terse.service.clicks.settle();
  }

  it('draws clicks, names who sent them, and keeps bots apart', async () => {
    await make('busy');
    await clickTimes('busy', 3, { Referer: 'https://news.example.org/story' });
    await clickTimes('busy', 2);
    await clickTimes('busy', 1, { 'User-Agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' });
    const html = await ada.page('/links/busy');
    const text = textOf(html);
    expect(text).toMatch(/Clicks 5 Visitors 1 Bots \(not in clicks\) 1 Clicks of all time 5/);
    expect(text).toContain('1 Jul 2026: 5 clicks, 1 visitor, 1 bot');
    expect(text).toMatch(/Referrers Clicks news\.example\.org 3 Direct or unknown 2/);
    expect(text).toMatch(/Browsers Clicks Firefox 5/);
    expect(text).toMatch(/Systems Clicks Linux 5/);
    expect(
      [...html.matchAll(/class="chart-bar"[^>]*height="([\d.]+)"/g)].map(([, height]) => Number(height) > 0).at(-1),
    ).toBe(true);
    expect(await ada.page('/links')).toMatch(/<strong>5<\/strong> clicks/);
  });

  it('shows the period asked for', async () => {
    await make('old1');
    await clickTimes('old1', 4);
    terse.clock.now += 10 * 86_400_000;
    await ada.post('/sign-in', { name: 'Ada', password: PASSWORD });
    await clickTimes('old1', 1);
    const clicksIn = async (period: string) =>
      / Clicks (\d+) Visitors/.exec(textOf(await ada.page(`/links/old1?period=${period}`)))?.[1];
    expect(await clicksIn('day')).toBe('1');
    expect(await clicksIn('week')).toBe('1');
    expect(await clicksIn('month')).toBe('5');
    expect(await clicksIn('year')).toBe('5');
    expect(await clicksIn('bogus')).toBe('5');
  });

  it('shows hostile referrers and browsers as text, or not at all', async () => {
    await make('evil2');
    await clickTimes('evil2', 1, { Referer: 'javascript:alert(1)//<script>alert(1)</script>' });
    await clickTimes('evil2', 1, { 'User-Agent': '<script>alert(1)</script>/1.0', Referer: 'https://<b>.example/' });
    const html = await ada.page('/links/evil2');
    expect(html).not.toMatch(/<script>alert|<b>|javascript:/);
    expect(textOf(html)).toMatch(/Clicks \d/);
  });
});
