import { beforeAll, describe, expect, it } from 'vitest';
import { parseAnswer, raw } from '../support/raw.ts';
import { post, serviceForTest } from '../support/service.ts';
import { holder, invitationPath, ownerForFile, PASSWORD, textOf, visit } from '../support/visitor.ts';

const HEADER = { TERSE_AUTH_PROXY_HEADER: 'Remote-User' };
const { terse, ada } = ownerForFile({ TERSE_TRUSTED_PROXIES: '127.0.0.1', ...HEADER });
beforeAll(async () => {
  await holder(terse, 'grace@example.com');
  await ada.post('/links', { url: 'https://example.com/', code: 'adas' });
});

const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' };
const as = (user: string) => ({ 'Remote-User': user });
const open = (path: string, user: string, visitor = visit(terse)) => visitor.get(path, as(user));
/** Sends a user's name as the bytes that a proxy sends. `fetch` sends a header as Latin-1. */
const inUtf8 = (user: string) => Buffer.from(user, 'utf8').toString('latin1');

async function refusalOf(response: Response | Promise<Response>): Promise<string> {
  const answer = await response;
  expect(answer.status).toBe(403);
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  return textOf(await answer.text());
}

describe('a user whom the proxy has signed in', () => {
  it('opens every page without a password, a session or a cookie', async () => {
    for (const path of ['/overview', '/links', '/links/adas', '/keys', '/account']) {
      const answer = await open(path, 'Ada');
      expect([path, answer.status, answer.headers.getSetCookie()]).toEqual([path, 200, []]);
    }
    expect((await open('/', 'Ada')).headers.get('location')).toBe('/overview');
    expect((await open('/sign-in?next=/keys', 'Ada')).headers.get('location')).toBe('/keys');
    expect(await terse.store.sessions.list(1)).toHaveLength(1);
  });

  it.each(['ADA', ' ada ', 'aDa'])('is found by the name of the account without regard to case: %j', async (user) => {
    expect(await (await open('/links', user)).text()).toContain('adas');
  });

  it('sees only the own account, and is the owner only with the owner’s account', async () => {
    expect(await (await open('/links', 'Grace@Example.com')).text()).not.toContain('adas');
    expect((await open('/links/adas', 'grace@example.com')).status).toBe(404);
    const invite = (user: string) =>
      visit(terse).post('/account/invitations', { invitee: 'Eve' }, { ...SAME_ORIGIN, ...as(user) });
    expect((await invite('grace@example.com')).status).toBe(403);
    expect((await invite('Ada')).status).toBe(200);
  });

  it('is signed out as soon as the proxy no longer names the user', async () => {
    const visitor = visit(terse);
    expect((await open('/links', 'Ada', visitor)).status).toBe(200);
    expect((await visitor.get('/links')).headers.get('location')).toMatch(/^\/sign-in/);
  });

  it('is told to sign out at the proxy', async () => {
    const answer = await visit(terse).post('/sign-out', {}, { ...SAME_ORIGIN, ...as('Ada') });
    expect([answer.status, textOf(await answer.text())]).toEqual([
      200,
      expect.stringContaining('Sign out where you signed in'),
    ]);
  });

  it('is protected against forms that other sites send', async () => {
    for (const foreign of [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example' }, {}]) {
      const headers = { ...foreign, ...as('Ada') };
      expect((await visit(terse).post('/links', { url: 'https://evil.example/', code: 'evil' }, headers)).status).toBe(
        403,
      );
    }
    expect(await terse.store.links.find(1, 'evil')).toBeNull();
    const own = { ...SAME_ORIGIN, ...as('Ada') };
    expect((await visit(terse).post('/links', { url: 'https://example.org/', code: 'own' }, own)).status).toBe(303);
  });
});

describe('a user without an account', () => {
  it.each([
    'eve',
    'owner',
    'ada, grace@example.com',
    'ada\tx',
    inUtf8('ａｄａ'),
    inUtf8('аda'),
    inUtf8('ada\u200b'),
    inUtf8('ada\u00a0'),
    inUtf8('\u3000ada'),
    `ada${'a'.repeat(300)}`,
    "' OR 1=1 --",
  ])('is refused, and no account is created: %j', async (user) => {
    const before = await terse.store.accounts.list();
    expect(await refusalOf(open('/links', user))).toMatch(
      /Ask the owner of this server for (an invitation|another name)\./,
    );
    expect(await terse.store.accounts.list()).toEqual(before);
  });

  it('is named on the page as plain text', async () => {
    const answer = await open('/links', inUtf8('<b>Zoë</b>'));
    expect(await answer.text()).toContain('You are signed in as “&lt;b&gt;Zoë&lt;/b&gt;”');
  });

  it('gets an account with an invitation, which suggests and requires the name that the proxy sends', async () => {
    const path = await invitationPath(terse, 'Zoe');
    const zoe = inUtf8('zoë@example.com');
    expect(await (await open(path, zoe)).text()).toContain('value="zoë@example.com"');
    const accept = (name: string) =>
      visit(terse).post(path, { name, password: PASSWORD, again: PASSWORD }, { ...SAME_ORIGIN, ...as(zoe) });
    const other = await accept('Zoe');
    expect([other.status, await other.text()]).toEqual([400, expect.stringContaining('id="name-problem"')]);
    const accepted = await accept('zoë@example.com');
    expect([accepted.status, accepted.headers.get('location')]).toEqual([303, '/keys']);
    expect((await open('/keys', zoe)).status).toBe(200);
    // Without the header, the user is signed out, so there must be no session.
    const { accountId = 0 } = (await terse.store.accounts.credentials('zoë@example.com')) ?? {};
    expect([accepted.headers.getSetCookie(), await terse.store.sessions.list(accountId)]).toEqual([[], []]);
  });

  it.each(['NFC', 'NFD'])('gets an account with a name in %s, and can use it in NFC and NFD', async (form) => {
    const name = `Zürich-${form}`;
    const path = await invitationPath(terse, 'Zurich');
    const headers = { ...SAME_ORIGIN, ...as(inUtf8(name.normalize(form))) };
    for (const typed of [name.normalize('NFD'), name.normalize('NFC').toUpperCase()]) {
      const fields = { name: typed, password: 'short', again: 'short' };
      const wrong = await (await visit(terse).post(path, fields, headers)).text();
      // The letter ü is not one of A to Z, so its case counts.
      expect(wrong.includes('id="name-problem"')).toBe(typed.includes('Ü'));
    }
    const fields = { name: name.normalize(form), password: PASSWORD, again: PASSWORD };
    expect((await visit(terse).post(path, fields, headers)).status).toBe(303);
    for (const user of ['NFC', 'NFD']) expect((await open('/keys', inUtf8(name.normalize(user)))).status).toBe(200);
  });

  it('gets an account with a name of up to 60 characters, and a message for longer names', async () => {
    const path = await invitationPath(terse, 'Long');
    const accept = (name: string) =>
      visit(terse).post(path, { name, password: PASSWORD, again: PASSWORD }, { ...SAME_ORIGIN, ...as(name) });
    const address = `${'a'.repeat(48)}@example.com`;
    const long = await accept(`a${address}`);
    expect([long.status, await long.text()]).toEqual([
      400,
      expect.stringContaining('A name can have at most 60 characters.'),
    ]);
    expect((await accept(address)).status).toBe(303);
    expect((await open('/keys', address)).status).toBe(200);
    expect(await refusalOf(open('/keys', `a${address}`))).toContain('A name can have at most 60 characters.');
  });

  it('is refused when the account is disabled or deleted', async () => {
    const heidi = await holder(terse, 'Heidi');
    const { accountId } = (await terse.store.accounts.credentials('heidi')) ?? { accountId: 0 };
    expect((await open('/links', 'Heidi')).status).toBe(200);
    await terse.store.accounts.disable(accountId, terse.clock.now);
    await refusalOf(open('/links', 'Heidi', heidi));
    await terse.store.accounts.enable(accountId);
    expect((await open('/links', 'Heidi')).status).toBe(200);
    await terse.store.accounts.remove({ accountId, verified: null, now: terse.clock.now });
    await refusalOf(open('/links', 'Heidi'));
  });
});

describe('the header', () => {
  it('is ignored if it does not come from a trusted proxy', async () => {
    const other = await serviceForTest({ TERSE_TRUSTED_PROXIES: '10.9.9.9', ...HEADER });
    const owner = await holder(other);
    const claims = { ...as('Ada'), 'X-Forwarded-For': '10.9.9.9', Forwarded: 'for=10.9.9.9' };
    expect((await visit(other).get('/links', claims)).headers.get('location')).toMatch(/^\/sign-in/);
    // The header cannot end the session of a user either.
    expect((await owner.get('/links', as('eve'))).status).toBe(200);
    expect((await owner.get('/links', as(''))).status).toBe(200);
  });

  it('is ignored unless the operator has set its name', async () => {
    const other = await serviceForTest({ TERSE_TRUSTED_PROXIES: '127.0.0.1' });
    await holder(other);
    expect((await visit(other).get('/links', as('Ada'))).status).toBe(303);
  });

  it.each([
    ['twice', 'Remote-User: Ada\r\nRemote-User: eve'],
    ['twice with one name', 'Remote-User: Ada\r\nremote-user: Ada'],
    ['empty', 'Remote-User:'],
    ['blank', 'Remote-User:   '],
    ['empty, then with a name', 'Remote-User:\r\nRemote-User: Ada'],
    ['in Latin-1', 'Remote-User: M\xfcller'],
    ['with the replacement character', `Remote-User: ${inUtf8('M\ufffdller')}`],
  ])('is refused if it is sent %s, even with a session', async (_, lines) => {
    for (const path of ['/links', '/', '/sign-in', '/account', `/welcome/${'A'.repeat(43)}`]) {
      const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nCookie: ${ada.cookie}\r\n${lines}\r\nConnection: close\r\n\r\n`;
      const answer = parseAnswer(await raw(terse.service.addresses.api, Buffer.from(request, 'latin1')));
      expect(await refusalOf(answer)).toContain('must name exactly one user in the header remote-user');
    }
    expect((await ada.get('/links')).status).toBe(200);
  });

  it('does not affect the API, which accepts only keys', async () => {
    const list = (headers: Record<string, string>) => terse.ask('/api/v1/urls', { headers });
    expect((await list(as('Ada'))).status).toBe(401);
    const key = await terse.newAccountKey(2, {});
    for (const user of ['Ada', 'eve', '']) {
      const answer = await list({ Authorization: `Bearer ${key}`, ...as(user) });
      expect([answer.status, ((await answer.json()) as { links: unknown[] }).links]).toEqual([200, []]);
    }
    expect((await terse.ask('/api/shorten', post(null, { url: 'https://example.com/' }, as('Ada')))).status).toBe(401);
    expect((await terse.ask('/healthz', { headers: as('') })).status).toBe(200);
  });
});

describe('a session with a password', () => {
  const signIn = async (headers: Record<string, string> = {}) => {
    const visitor = visit(terse);
    await visitor.post('/sign-in', { name: 'Ada', password: PASSWORD }, { ...SAME_ORIGIN, ...headers });
    return visitor;
  };

  it('works without the header, and with the header of the same user', async () => {
    const visitor = await signIn();
    expect((await visitor.get('/links')).status).toBe(200);
    expect((await open('/links', 'ada', visitor)).status).toBe(200);
    expect(await visitor.page('/links')).toContain('adas');
  });

  it.each([['grace@example.com', 200] as const, ['eve', 403] as const])(
    'ends when the proxy names another user: %s',
    async (user, status) => {
      const visitor = await signIn();
      const before = visitor.cookie;
      const sessions = await terse.store.sessions.list(1);
      const answer = await open('/links', user, visitor);
      expect([answer.status, await answer.text()]).toEqual([status, expect.not.stringContaining('adas')]);
      expect(answer.headers.getSetCookie()[0]).toMatch(/^terse=; Max-Age=0/);
      expect(await terse.store.sessions.list(1)).toHaveLength(sessions.length - 1);
      expect((await visit(terse).get('/links', { Cookie: before })).status).toBe(303);
    },
  );

  it.each(['grace@example.com', 'Ada'])('does not start while the proxy names a user: %s', async (user) => {
    const before = await terse.store.sessions.list(1);
    const visitor = await signIn(as(user));
    expect([visitor.cookie, await terse.store.sessions.list(1)]).toEqual(['', before]);
    expect((await visitor.get('/links')).status).toBe(303);
  });

  it('does not replace the user whom the proxy names', async () => {
    const visitor = await signIn(as('grace@example.com'));
    expect(await (await open('/links', 'grace@example.com', visitor)).text()).not.toContain('adas');
  });
});
