import { describe, expect, it } from 'vitest';
import { preview, startImport } from '../support/imports.ts';
import { link } from '../support/store.ts';
import { ownerForEach, textOf, visit } from '../support/visitor.ts';

const { terse, ada } = ownerForEach();

const make = (code: string, more: Record<string, string> = {}) =>
  ada.post('/links', { url: `https://example.com/${code}`, code, ...more });
/** Returns the short codes on a page, in their order. */
const codesOn = (html: string) =>
  [...html.matchAll(/<li class="link">.*?href="\/links\/([^"]+)"/gs)].map(([, code]) => code);

describe('a link', () => {
  it('is created, with a generated code if none is given, and redirects', async () => {
    const answer = await ada.post('/links', { url: ' HTTPS://Example.com/a b ', title: ' A  title ' });
    expect(answer.status).toBe(303);
    const [, code = ''] = /made=(\w{7})$/.exec(answer.headers.get('location') ?? '') ?? [];
    expect(textOf(await ada.page(`/links?made=${code}`))).toMatch(new RegExp(`Your link is ready: \\S+ / ${code}`));
    expect(textOf(await ada.page(`/links?made=${code}&copied=yes`))).toContain('Your link is ready and copied:');
    expect((await terse.visit(`/${code}`)).headers.get('location')).toBe('https://example.com/a%20b');
    expect(await terse.store.links.find(1, code)).toMatchObject({ title: 'A title' });
  });

  it.each([
    [{ url: 'javascript:alert(1)' }, 'url', 'Only http:// and https:// addresses can be shortened.'],
    [{ url: '' }, 'url', 'Please enter a valid URL.'],
    // Browsers paste several lines with a space between them.
    [{ url: 'https://a.example/ https://b.example/' }, 'url', 'Please enter a valid URL.'],
    [{ url: 'https://me@example.com/' }, 'url', /^This URL contains a user name or a password\. Remove/],
    [{ url: 'http://127.0.0.1/' }, 'url', /^This server does not link there/],
    [{ url: `https://example.com/${'a'.repeat(9000)}` }, 'url', /^This URL is too long\. .* 8,192 bytes\.$/],
    [{ code: 'a' }, 'code', /3 to 64/],
    [{ code: 'Admin' }, 'code', /reserved/],
    [{ code: 'taken' }, 'code', 'This short code is taken.'],
    [{ expiresAt: '2026-07-01T12:00' }, 'expiresAt', /in the future/],
    [{ expiresAt: 'soon' }, 'expiresAt', /not a date/],
    [{ title: 'x'.repeat(301) }, 'title', /at most 300/],
    [{ tags: 'x'.repeat(51) }, 'tags', /at most 50 characters/],
    [{ tags: '1,2,3,4,5,6,7,8,9,10,11' }, 'tags', /at most 10 tags/],
  ])('is not created from %j, with a message next to the field', async (fields, field, sentence) => {
    await make('taken');
    const answer = await ada.post('/links', { url: 'https://example.com/', ...fields });
    expect(answer.status).toBe(400);
    const [, at, message] = /id="(\w+)-problem">([^<]*)</.exec(await answer.text()) ?? [];
    expect([at, message]).toEqual([field, expect.stringMatching(sentence)]);
    expect(codesOn(await ada.page('/links'))).toEqual(['taken']);
  });

  it.each([
    ['example.com/page', 'https://example.com/page'],
    [' example.com:8080/page?q#f ', 'https://example.com:8080/page?q#f'],
    ['münchen.example', 'https://münchen.example'],
  ])('typed without a scheme, like %j, is created with https://', async (url, completed) => {
    const answer = await ada.post('/links', { url });
    expect(answer.status).toBe(303);
    expect(await terse.store.links.list(1, null, 1)).toMatchObject([{ url: new URL(completed).href }]);
  });

  it.each([
    'otters',
    'two words.example',
    'javascript:alert(1)',
    '127.0.0.1/x',
    'ftp://example.com/',
    'user@example.com',
  ])('%j is not treated as a URL without scheme', async (url) => {
    const html = await (await ada.post('/links', { url })).text();
    expect(html).toMatch(/id="url-problem">(Please enter a valid URL|Only http:|This server does not link there)/);
    expect(html).toContain(`name="url" type="url" value="${url}"`);
  });

  it.each([
    [{ code: 'a', title: 'x'.repeat(301) }, 'title'],
    [{ url: 'nonsense', code: 'a', expiresAt: 'soon' }, 'url'],
    [{ expiresAt: '2026-01-01T00:00' }, 'expiresAt'],
  ])('that is refused because of %j sets the focus on the first wrong field', async (fields, first) => {
    const html = await (await ada.post('/links', { url: 'https://example.com/', ...fields })).text();
    const focused = [...html.matchAll(/<input [^>]*id="(\w+)"[^>]*\bautofocus\b/g)].map(([, id]) => id);
    expect(focused).toEqual([first]);
  });
});

describe('the list', () => {
  it('has a total, and links to the first and next page in every order', async () => {
    const { links } = terse.store;
    const make = async (from: number, to: number) => {
      for (let at = from; at < to; at += 1)
        await links.create(1, link([`page-${String(at).padStart(3, '0')}`]), terse.clock.now);
    };
    /** Returns the pagination links by name. */
    const pagesOn = (html: string) => {
      const nav = html.split('aria-label="Pages"')[1]?.split('</nav>')[0] ?? '';
      const found = [...nav.matchAll(/href="([^"]+)".*?>([A-Z][a-z ]+)<\/a>/g)];
      return Object.fromEntries(found.map(([, href = '', name = '']) => [name, href.replaceAll('&amp;', '&')]));
    };
    await make(0, 2);
    expect(pagesOn(await ada.page('/links'))).toEqual({});
    await make(2, 160);
    for (const order of ['newest', 'oldest', 'clicks']) {
      const first = `/links?order=${order}`;
      const seen: (string | undefined)[] = [];
      let next: string | undefined = first;
      while (next) {
        const html = await ada.page(next);
        const to = pagesOn(html);
        if (seen.length > 0) expect(codesOn(await ada.page(to['First page'] ?? ''))).toEqual(seen.slice(0, 50));
        seen.push(...codesOn(html));
        next = to['Next page'];
      }
      expect([seen.length, new Set(seen).size]).toEqual([160, 160]);
      expect(seen[0]).toBe(order === 'oldest' ? 'page-000' : 'page-159');
    }
  });

  it('is searched by title, URL and code, ignoring case', async () => {
    await make('alpha', { title: 'Ünïted' });
    await make('beta', { url: 'https://news.example/ALPHABET' });
    await make('gamma');
    expect(codesOn(await ada.page('/links?search=alpha'))).toEqual(['beta', 'alpha']);
    expect(codesOn(await ada.page('/links?search=%C3%BCN%C3%8FT'))).toEqual(['alpha']);
    const nothing = await ada.page('/links?search=%3Cb%3Enope&order=clicks');
    expect(textOf(nothing)).toContain('Nothing found No title, address or short code contains “ &lt;b&gt;nope ”');
    expect(nothing).toContain('<a href="/links">Show all links</a>');
  });

  it('is filtered by a tag, in every order and together with a search', async () => {
    for (const code of ['one', 'two', 'three']) await make(code, { tags: code === 'two' ? '' : 'News & <b>, x' });
    const filtered = await ada.page('/links?tag=news+%26+%3Cb%3E');
    expect(codesOn(filtered)).toEqual(['three', 'one']);
    expect(textOf(filtered)).toContain('Tag: news &amp; &lt;b&gt; Show all links');
    expect(filtered).toContain(
      '<a class="chip" href="/links?tag=News+%26+%3Cb%3E"><bdi>News &amp; &lt;b&gt;</bdi></a>',
    );
    expect(filtered).toContain('<input type="hidden" name="tag" value="news &amp; &lt;b&gt;">');
    expect(filtered).toContain('href="/links?tag=news+%26+%3Cb%3E&amp;order=oldest"');
    expect(codesOn(await ada.page('/links?tag=x&order=oldest'))).toEqual(['one', 'three']);
    expect(codesOn(await ada.page('/links?tag=x&order=clicks'))).toEqual(['three', 'one']);
    expect(codesOn(await ada.page('/links?tag=x&search=ONE'))).toEqual(['one']);
    terse.clock.now += 1000;
    expect(textOf(await ada.page('/links?tag=unknown'))).toContain('Nothing found');
  });

  it('shows the first page if all links of the last page were deleted', async () => {
    await make('one');
    await make('two');
    await terse.store.links.remove(1, ['one'], terse.clock.now);
    const answer = await ada.get('/links?order=oldest&after=two');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/links?order=oldest']);
  });

  it('ignores invalid queries', async () => {
    await make('one');
    expect(codesOn(await ada.page('/links?order=bogus&after=../x&search='))).toEqual(['one']);
    expect((await ada.get('/links?after=%00&deletedAt=%00&search=%F0%9F')).status).toBe(200);
  });
});

describe('hostile text', () => {
  it('that is written from right to left is truncated at its end', async () => {
    await make('hebrew', { title: 'מדריך שדה' });
    expect(await ada.page('/links')).toContain('<bdi class="line">מדריך שדה</bdi>');
  });

  it('in a URL is decoded only if it cannot reverse the text around it', async () => {
    await make('hebrew', { url: 'https://xn--krz-hoa.example/%D7%A9%D7%93%D7%94?q=%C3%BC' });
    await make('reversed', { url: 'https://example.com/%E2%80%AEgpj.exe' });
    const html = await ada.page('/links');
    expect(html).toMatch(/<bdi class="line[^>]* dir="ltr"[^>]*>kürz\.example\/שדה\?q=ü<\/bdi>/);
    expect(html).toMatch(/<bdi class="line[^>]* dir="ltr"[^>]*>example\.com\/%E2%80%AEgpj\.exe<\/bdi>/);
    expect(html).not.toContain('\u202e');
  });

  it('in titles and URLs is escaped', async () => {
    const title = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
    await make('evil', { title, url: `https://evil.example/?'"><script>alert(1)</script>` });
    for (const path of ['/overview', '/links', '/links/evil', '/links?search=%22%3E%3Cscript%3E', '/links?made=evil']) {
      const html = await ada.page(path);
      expect(html).not.toMatch(/<script>alert|<img src=x/);
      expect(html).not.toMatch(/href="https?:\/\/evil/);
    }
  });
});

const links = () => terse.store.links.list(1, null, 10);

/** Opens a page and returns the key of the form with this action. */
async function formKey(path: string, action: string): Promise<string> {
  const form = (await ada.page(path)).split('<form').find((part) => part.includes(`action="${action}"`)) ?? '';
  return /name="formKey" value="([^"]+)"/.exec(form)?.[1] ?? '';
}

describe('a form for a new link', () => {
  it.each(['/links/new', '/links', '/overview'])('on %s that is sent again creates one link', async (path) => {
    const fields = {
      formKey: await formKey(path, '/links'),
      url: 'https://example.com/',
      title: 'Twice',
      tags: 'a, b',
    };
    const answers = [await ada.post('/links', fields), await ada.post('/links', fields)];
    const [first, again] = answers.map((answer) => [answer.status, answer.headers.get('location')]);
    expect(first).toEqual([303, expect.stringMatching(/^\/links\?made=\w{7}$/)]);
    expect(again).toEqual(first);
    expect(await links()).toHaveLength(1);
  });

  it('with a chosen code does not say that its own code is taken', async () => {
    const fields = { formKey: await formKey('/links/new', '/links'), url: 'https://example.com/', code: 'promo' };
    for (const _ of [1, 2])
      expect((await ada.post('/links', fields)).headers.get('location')).toBe('/links?made=promo');
  });

  it('that was changed or opened again creates another link', async () => {
    const fields = { formKey: await formKey('/links/new', '/links'), url: 'https://example.com/' };
    await ada.post('/links', fields);
    await ada.post('/links', { ...fields, title: 'Changed' });
    await ada.post('/links', { ...fields, formKey: await formKey('/links/new', '/links') });
    expect(await links()).toHaveLength(3);
  });
});

it('a form for a new API key that is sent again creates one key, and says what to do', async () => {
  const fields = { formKey: await formKey('/keys', '/keys'), name: 'Laptop', 'scope-create': 'yes' };
  expect(await (await ada.post('/keys', fields)).text()).toContain('Your new API key');
  const again = await ada.post('/keys', fields);
  expect([again.status, again.headers.get('location')]).toEqual([303, '/keys?done=repeated']);
  expect(textOf(await ada.page('/keys?done=repeated'))).toContain(
    'If you did not copy it, revoke it and create another',
  );
  expect(await terse.store.keys.list(1)).toHaveLength(1);
});

it('a form that deletes a link and is sent again offers the same undo', async () => {
  await ada.post('/links', { url: 'https://example.com/', code: 'gone' });
  const send = () => ada.post('/selection', { code: 'gone', action: 'delete' });
  const first = (await send()).headers.get('location') ?? '';
  terse.clock.now += 1000;
  expect((await send()).headers.get('location')).toBe(first);
  expect(await ada.page(first)).toContain('/selection/restore');
});

it('an invitation form that is sent again creates one account, and shows a link that works', async () => {
  const fields = { formKey: await formKey('/account', '/account/invitations'), invitee: 'Grace' };
  await ada.post('/account/invitations', fields);
  const html = await (await ada.post('/account/invitations', fields)).text();
  expect((await terse.store.accounts.list()).map(({ name }) => name)).toEqual(['Ada', 'Grace']);
  const [, path = ''] = /(\/welcome\/[\w-]{43})/.exec(html) ?? [];
  expect((await visit(terse).get(path)).status).toBe(200);
});

it('an import form that is pressed twice at once starts one import, and both presses show it', async () => {
  const rows = Array.from({ length: 2000 }, (_, at) => `https://example.com/${at}\n`).join('');
  const form = await preview(ada, `url\n${rows}`);
  const answers = await Promise.all([startImport(ada, form), startImport(ada, form), startImport(ada, form)]);
  const shown = answers.map((answer) => [answer.status, answer.headers.get('location')]);
  expect(new Set(shown.map(String))).toEqual(new Set([expect.stringMatching(/^303,\/links\/import\/\d+$/)]));
});
