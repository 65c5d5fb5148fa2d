import { describe, expect, it } from 'vitest';
import { INVITATION_LIFETIME_MS, SESSION_LIFETIME_MS } from '../../src/domain/accounts/names-invitations-sessions.ts';
import { serviceForEach, serviceForTest } from '../support/service.ts';
import { holder, PASSWORD, setupPath, type Visitor, visit } from '../support/visitor.ts';

const terse = serviceForEach();

const FRESH = { name: 'Ada', password: PASSWORD, again: PASSWORD };
const signIn = (name = 'Ada', password = PASSWORD, next = '') =>
  visit(terse).post('/sign-in', { name, password, next });

describe('the setup link', () => {
  it('sets up the first account, signs in, and then no longer works', async () => {
    const path = await setupPath(terse);
    const visitor = visit(terse);
    expect(await visitor.page(path)).toContain('Set up Terse');
    const answer = await visitor.post(path, FRESH);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/keys']);
    expect(await visitor.page('/keys')).toContain('Create your first API key');
    for (const again of [await visit(terse).get(path), await visit(terse).post(path, { ...FRESH, name: 'Eve' })]) {
      expect(again.status).toBe(410);
      expect(await again.text()).toContain('This link no longer works');
    }
    expect((await signIn('Eve')).status).toBe(400);
  });

  it('shows errors next to the fields, keeps the name, and still works', async () => {
    const path = await setupPath(terse);
    const visitor = visit(terse);
    const answer = await visitor.post(path, { name: 'Ada <b>', password: 'short', again: 'other' });
    expect(answer.status).toBe(400);
    const html = await answer.text();
    expect(html).toContain('value="Ada &lt;b&gt;"');
    expect(html).toContain('id="password-problem">A password needs at least 12 characters.');
    expect(html).toContain('id="again-problem">The passwords do not match.');
    expect(html).not.toContain('short');
    expect((await visitor.post(path, FRESH)).status).toBe(303);
  });

  it('lasts a week', async () => {
    const path = await setupPath(terse);
    terse.clock.now += INVITATION_LIFETIME_MS - 1;
    expect((await visit(terse).get(path)).status).toBe(200);
    terse.clock.now += 1;
    expect((await visit(terse).get(path)).status).toBe(410);
    expect((await visit(terse).post(path, FRESH)).status).toBe(410);
  });

  it('does not store its token or passwords in the database or the log', async () => {
    const path = await setupPath(terse);
    await visit(terse).post(path, FRESH);
    const token = path.split('/').at(-1) ?? '';
    expect(terse.log.join()).not.toContain(token);
    expect(terse.log.join()).not.toContain(PASSWORD);
    expect(JSON.stringify(await terse.store.accounts.credentials('ada'))).not.toContain(PASSWORD);
  });

  it.each(['/welcome/x', `/welcome/${'A'.repeat(43)}`, '/welcome/%00'])('is not valid if it is %s', async (path) => {
    expect((await visit(terse).get(path)).status).toBe(410);
  });
});

describe('signing in', () => {
  it('ignores the case of the name, and sets a cookie that scripts and other sites cannot read', async () => {
    await holder(terse);
    const answer = await signIn(' ADA ');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/overview']);
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^terse=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('responds equally to a wrong password and an unknown name', async () => {
    await holder(terse);
    const [known, unknown] = [await signIn('Ada', 'wrong wrong wrong'), await signIn('Bob', 'wrong wrong wrong')];
    expect([known.status, unknown.status]).toEqual([400, 400]);
    const texts = [await known.text(), await unknown.text()];
    expect(texts[0]?.replace('Ada', 'Bob')).toBe(texts[1]);
    expect(texts[0]).toContain('Wrong name or password. Try again.');
  });

  it.each(['', 'a\u0000b', 'x'.repeat(500), "' OR 1=1 --", '\ud83d'])(
    'responds to the name %j like to any unknown name',
    async (name) => {
      await holder(terse);
      const answer = await signIn(name, '\u0000'.repeat(2000));
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('Wrong name or password')]);
    },
  );

  it('ends the previous session and issues a new token', async () => {
    const visitor = await holder(terse);
    const before = visitor.cookie;
    await visitor.post('/sign-in', { name: 'Ada', password: PASSWORD });
    expect(visitor.cookie).not.toBe(before);
    expect(await terse.store.sessions.list(1)).toHaveLength(1);
    expect((await visit(terse).get('/links', { Cookie: before })).status).toBe(303);
  });

  it('works even if old sessions cannot be purged', async () => {
    await holder(terse);
    terse.store.sessions.forget = () => Promise.reject(new Error('cannot be purged'));
    const visitor = visit(terse);
    expect((await visitor.post('/sign-in', { name: 'Ada', password: PASSWORD })).status).toBe(303);
    expect((await visitor.get('/links')).status).toBe(200);
  });

  it('returns to the requested page', async () => {
    await holder(terse);
    const asked = await visit(terse).get('/links?search=a%20b&order=clicks');
    expect(asked.headers.get('location')).toBe('/sign-in?next=%2Flinks%3Fsearch%3Da%2520b%26order%3Dclicks');
    const answer = await signIn('Ada', PASSWORD, '/links?search=a%20b&order=clicks');
    expect(answer.headers.get('location')).toBe('/links?search=a%20b&order=clicks');
  });

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/links\\@evil.example',
    'javascript:alert(1)',
    '/linksevil',
    '/sign-out',
    '/links\r\nSet-Cookie: a=b',
    '',
  ])('does not redirect to other addresses, such as %j', async (next) => {
    await holder(terse);
    expect((await signIn('Ada', PASSWORD, next)).headers.get('location')).toBe('/overview');
    const open = await holderGet(`/sign-in?next=${encodeURIComponent(next)}`);
    expect(open.headers.get('location')).toBe('/overview');
  });

  const holderGet = async (path: string) => {
    const visitor = visit(terse);
    await visitor.post('/sign-in', { name: 'Ada', password: PASSWORD });
    return visitor.get(path);
  };

  it('is limited per name, even if the name does not exist', async () => {
    await holder(terse);
    for (const name of ['Ada', 'Nobody']) {
      const answers = [];
      for (let attempt = 0; attempt < 9; attempt += 1) answers.push(await signIn(name, 'wrong wrong wrong'));
      expect(answers.map(({ status }) => status)).toEqual([...Array(8).fill(400), 429]);
      expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBe(60);
    }
    // The correct password must wait too. Otherwise the response would reveal that the password is correct.
    expect((await signIn()).status).toBe(429);
    terse.clock.now += 60_000;
    expect((await signIn()).status).toBe(303);
  });

  it('works for the user while attackers guess from other networks', async () => {
    const proxied = await serviceForTest({ TERSE_TRUSTED_PROXIES: '127.0.0.1' });
    await holder(proxied);
    const from = (address: string, password: string) =>
      visit(proxied).post(
        '/sign-in',
        { name: 'Ada', password },
        { 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': address },
      );
    for (let attempt = 0; attempt < 10; attempt += 1) await from('203.0.113.1', `wrong ${attempt}`);
    expect((await from('203.0.113.1', PASSWORD)).status).toBe(429);
    expect((await from('198.51.100.1', PASSWORD)).status).toBe(303);
    await Promise.all(Array.from({ length: 120 }, (_, at) => from(`203.0.113.${at + 2}`, 'wrong')));
    expect((await from('192.0.2.1', PASSWORD)).status).toBe(429);
    expect((await from('198.51.100.1', PASSWORD)).status).toBe(303);
  });

  it('is limited per client too, and the log shows each result but not the name', async () => {
    await holder(terse);
    const statuses = [];
    for (let attempt = 0; attempt < 21; attempt += 1) statuses.push((await signIn(`name${attempt}`, 'x')).status);
    expect(statuses).toEqual([...Array(20).fill(400), 429]);
    terse.clock.now += 5000;
    expect((await signIn()).status).toBe(303);
    const lines = terse.log.map((line) => JSON.parse(line)).filter(({ route }) => route === '/sign-in');
    expect(lines.map(({ status }) => status)).toEqual([...statuses, 303]);
    expect(terse.log.join('')).not.toMatch(/name\d|ada|127\.0\.0\.1/i);
  });

  it('explains what to do until the service is set up', async () => {
    expect(await visit(terse).page('/sign-in')).toContain('it printed a setup link');
  });
});

describe('a session', () => {
  it('ends with its cookie when the user signs out', async () => {
    const visitor = await holder(terse);
    const before = visitor.cookie;
    const answer = await visitor.post('/sign-out');
    expect(answer.headers.get('location')).toBe('/sign-in');
    expect(answer.headers.getSetCookie()[0]).toMatch(/^terse=; Max-Age=0; Path=\//);
    expect((await visit(terse).get('/links', { Cookie: before })).headers.get('location')).toMatch(/^\/sign-in/);
  });

  /** Uses the session and waits until the service has recorded its last use, which happens after the response. */
  async function use(visitor: Visitor): Promise<void> {
    await expect
      .poll(async () => {
        await visitor.page('/links');
        return (await terse.store.sessions.list(1))[0]?.lastUsedAt;
      })
      .toBe(terse.clock.now);
  }

  it('ends after a week without activity', async () => {
    const visitor = await holder(terse);
    for (let times = 0; times < 2; times += 1) {
      terse.clock.now += SESSION_LIFETIME_MS.idle - 1;
      await use(visitor);
    }
    terse.clock.now += SESSION_LIFETIME_MS.idle;
    expect((await visitor.get('/links')).status).toBe(303);
  });

  it('has the __Host- prefix and Secure over https', async () => {
    const secure = await serviceForTest({ TERSE_BASE_URL: 'https://links.example' });
    const visitor = await holder(secure);
    expect(visitor.cookie).toMatch(/^__Host-terse=/);
    const answer = await visitor.post('/sign-in', { name: 'Ada', password: PASSWORD });
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-terse=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    await visitor.page('/links');
    // Another host may have set a cookie without the `__Host-` prefix, so the service ignores it.
    expect((await visit(secure).get('/links', { Cookie: visitor.cookie.replace('__Host-', '') })).status).toBe(303);
  });
});
