import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInvitation, SESSION_LIFETIME_MS } from '../../src/domain/accounts/account-rules.ts';
import { systemRandom } from '../../src/domain/clock-and-random.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { holder, PASSWORD, textOf, type Visitor, visit } from '../support/visitor.ts';

let terse: TestService;
let ada: Visitor;
beforeEach(async () => {
  terse = await startTestService();
  ada = await holder(terse);
});
afterEach(() => terse.stop());

const NEXT = 'another horse battery';

async function signIn(name = 'Ada', password = PASSWORD): Promise<Visitor> {
  const visitor = visit(terse);
  await visitor.post('/sign-in', { name, password });
  return visitor;
}

describe('the password', () => {
  it('is changed by who knows it, and ends every other session', async () => {
    const other = await signIn();
    const answer = await ada.post('/account/password', { current: PASSWORD, password: NEXT, again: NEXT });
    expect(answer.headers.get('location')).toBe('/account?done=password');
    expect(await ada.page('/account?done=password')).toContain('signed out everywhere else');
    expect((await other.get('/links')).status).toBe(303);
    expect((await (await signIn('Ada', NEXT)).get('/links')).status).toBe(200);
    expect((await (await signIn('Ada', PASSWORD)).get('/links')).status).toBe(303);
  });

  it.each([
    [{ current: 'wrong', password: NEXT, again: NEXT }, 'current'],
    [{ current: PASSWORD, password: 'short', again: 'short' }, 'password'],
    [{ current: PASSWORD, password: NEXT, again: `${NEXT}!` }, 'again'],
  ])('stays as it is after %j', async (fields, field) => {
    const answer = await ada.post('/account/password', fields);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(`id="${field}-problem"`);
    expect((await (await signIn()).get('/links')).status).toBe(200);
  });

  it('opens nothing any more once it was changed, not even for who proved it just before', async () => {
    const { accounts } = terse.store;
    const credentials = accounts.credentials.bind(accounts);
    accounts.credentials = async (name) => {
      const found = await credentials(name);
      await ada.post('/account/password', { current: PASSWORD, password: NEXT, again: NEXT });
      return found;
    };
    const late = visit(terse);
    const answer = await late.post('/sign-in', { name: 'Ada', password: PASSWORD });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('is wrong')]);
    expect((await late.get('/links')).status).toBe(303);
    expect(await terse.store.sessions.list(1)).toHaveLength(1);
  });

  it('is not changed by who knew it before a reset', async () => {
    const { accounts } = terse.store;
    const { token, stored } = createInvitation(systemRandom, 1, terse.clock.now);
    await accounts.invite(stored);
    const credentialsOf = accounts.credentialsOf.bind(accounts);
    accounts.credentialsOf = async (id) => {
      const found = await credentialsOf(id);
      await visit(terse).post(`/welcome/${token}`, { name: 'Ada', password: NEXT, again: NEXT });
      return found;
    };
    const thief = 'the horse of a thief';
    const answer = await ada.post('/account/password', { current: PASSWORD, password: thief, again: thief });
    accounts.credentialsOf = credentialsOf;
    expect(answer.status).toBe(400);
    expect((await (await signIn('Ada', thief)).get('/links')).status).toBe(303);
    expect((await (await signIn('Ada', NEXT)).get('/links')).status).toBe(200);
  });

  it('ends with its change every link to choose another', async () => {
    const { token, stored } = createInvitation(systemRandom, 1, terse.clock.now);
    await terse.store.accounts.invite(stored);
    await ada.post('/account/password', { current: PASSWORD, password: NEXT, again: NEXT });
    expect((await visit(terse).get(`/welcome/${token}`)).status).toBe(410);
  });

  it('cannot be tried without end', async () => {
    const statuses = [];
    for (let attempt = 0; attempt < 9; attempt += 1) {
      statuses.push((await ada.post('/account/password', { current: 'x', password: NEXT, again: NEXT })).status);
    }
    expect(statuses).toEqual([...Array(8).fill(400), 429]);
  });
});

describe('sessions', () => {
  it('are listed with device and times, and no address', async () => {
    const phone = visit(terse);
    const agent = 'Mozilla/5.0 (Android 15; Mobile; rv:153.0) Gecko/153.0 Firefox/153.0';
    await phone.post(
      '/sign-in',
      { name: 'Ada', password: PASSWORD },
      { 'Sec-Fetch-Site': 'same-origin', 'User-Agent': agent },
    );
    const text = textOf(await ada.page('/account'));
    expect(text).toMatch(/on Android Signed in 1 Jul 2026, 12:00 UTC · last used 1 Jul 2026, 12:00 UTC Sign out/);
    expect(text).not.toContain('127.0.0.1');
  });

  it('are listed as long as they last', async () => {
    const [mine] = await terse.store.sessions.list(1);
    await signIn();
    const listed = async () => textOf(await ada.page('/account')).match(/Signed in/g);
    expect(await listed()).toHaveLength(2);
    terse.clock.now += SESSION_LIFETIME_MS.idle;
    await terse.store.sessions.touch(mine?.id as number, terse.clock.now - 1);
    expect(await listed()).toHaveLength(1);
  });

  it('can be ended one by one', async () => {
    const other = await signIn();
    const [, id] = /\/account\/sessions\/(\d+)\/end/.exec(await ada.page('/account')) ?? [];
    await ada.post(`/account/sessions/${id}/end`);
    expect((await other.get('/links')).status).toBe(303);
    expect((await ada.get('/links')).status).toBe(200);
    expect((await ada.post(`/account/sessions/${id}/end`)).status).toBe(404);
  });

  it('cannot be ended by anybody else', async () => {
    const grace = await holder(terse, 'Grace');
    const [session] = await terse.store.sessions.list(1);
    expect((await grace.post(`/account/sessions/${session?.id}/end`)).status).toBe(404);
    expect((await ada.get('/links')).status).toBe(200);
  });

  it('name a hostile browser as nothing but text', async () => {
    const headers = { 'Sec-Fetch-Site': 'same-origin', 'User-Agent': '<script>alert(1)</script> "Chrome/1" on <b>' };
    await visit(terse).post('/sign-in', { name: 'Ada', password: PASSWORD }, headers);
    expect(await ada.page('/account')).not.toMatch(/<script>alert|<b>/);
  });
});

describe('a disabled account', () => {
  it('cannot sign in, is told the password is wrong, and its links still work', async () => {
    const grace = await holder(terse, 'Grace');
    await grace.post('/links', { url: 'https://example.com/', code: 'graces' });
    const wrong = await (await visit(terse).post('/sign-in', { name: 'Grace', password: 'wrong wrong' })).text();
    await terse.store.accounts.disable(2, terse.clock.now);
    expect((await grace.get('/links')).headers.get('location')).toMatch(/^\/sign-in/);
    const answer = await visit(terse).post('/sign-in', { name: 'Grace', password: PASSWORD });
    expect([answer.status, await answer.text()]).toEqual([400, wrong]);
    expect((await terse.visit('/graces')).status).toBe(302);
    expect(textOf(await ada.page('/account'))).toContain('Grace Disabled');
    await terse.store.accounts.enable(2);
    expect((await (await signIn('Grace')).get('/links')).status).toBe(200);
  });

  it('is not taken over', async () => {
    await ada.post('/account/invitations', { invitee: 'Grace' });
    await terse.store.accounts.disable(2, terse.clock.now);
    expect(await ada.page('/account')).not.toContain('/account/invitations/2');
    expect((await ada.post('/account/invitations/2')).status).toBe(404);
  });
});

describe('an account that its holder deletes', () => {
  let grace: Visitor;
  beforeEach(async () => {
    grace = await holder(terse, 'Grace');
    await grace.post('/links', { url: 'https://example.com/', code: 'graces' });
    expect((await terse.visit('/graces')).status).toBe(302);
  });

  it('is gone, and its short URLs with it', async () => {
    expect(await grace.page('/account')).toContain('href="/account/delete"');
    expect(textOf(await grace.page('/account/delete'))).toContain('Your short URLs stop working');
    const answer = await grace.post('/account/delete', { password: PASSWORD });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Your account is deleted')]);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^terse=; Max-Age=0/);
    expect((await (await signIn('Grace')).get('/links')).status).toBe(303);
    // It is at hand for less than a second; how long exactly is the link cache's own test.
    let status = 302;
    while (status === 302) status = (await terse.visit('/graces')).status;
    expect(status).toBe(410);
    expect((await ada.post('/links', { url: 'https://example.com/', code: 'graces' })).status).toBe(400);
    expect(textOf(await ada.page('/account'))).not.toContain('Grace');
  });

  it('stays without the password, which cannot be tried without end', async () => {
    const statuses = [];
    for (let attempt = 0; attempt < 9; attempt += 1) {
      statuses.push((await grace.post('/account/delete', { password: 'wrong' })).status);
    }
    expect(statuses).toEqual([...Array(8).fill(400), 429]);
    expect((await grace.get('/links/graces')).status).toBe(200);
  });

  it('is never the owner’s', async () => {
    expect(await ada.page('/account')).not.toContain('/account/delete');
    expect((await ada.get('/account/delete')).status).toBe(404);
    expect((await ada.post('/account/delete', { password: PASSWORD })).status).toBe(404);
    expect((await ada.get('/links')).status).toBe(200);
  });
});

describe('invitations', () => {
  it('make an account that sees nothing of others', async () => {
    await ada.post('/links', { url: 'https://example.com/', code: 'adas' });
    const answer = await ada.post('/account/invitations', { invitee: 'Grace <i>' });
    const html = await answer.text();
    expect(html).toContain('Grace &lt;i&gt;');
    const [, path = ''] = /<code>http:\/\/[^/]+(\/welcome\/[\w-]+)<\/code>/.exec(html) ?? [];
    const grace = visit(terse);
    await grace.post(path, { name: 'Grace', password: NEXT, again: NEXT });
    expect(textOf(await grace.page('/links'))).toContain('No links yet');
    for (const adas of ['/links/adas', '/links/adas/qr.svg', '/links/adas/qr.png']) {
      expect((await grace.get(adas)).status).toBe(404);
    }
    for (const [adas, fields] of [
      ['/links/adas', { title: 'Mine' }],
      ['/links/adas/delete', {}],
      ['/links/adas/restore', { deletedAt: String(terse.clock.now) }],
    ] as const) {
      expect((await grace.post(adas, fields)).status).toBe(404);
    }
    expect(await (await grace.get('/links/export.csv')).text()).not.toContain('adas');
    expect(await terse.store.links.find(1, 'adas')).toMatchObject({ title: null, deletedAt: null });
  });

  it('are made by the owner alone', async () => {
    const grace = await holder(terse, 'Grace');
    expect(await grace.page('/account')).not.toContain('Invite somebody');
    expect((await grace.post('/account/invitations', { invitee: 'Eve' })).status).toBe(403);
    expect((await grace.post('/account/invitations/1')).status).toBe(403);
    expect(await terse.store.accounts.list()).toHaveLength(2);
  });

  it('can be made anew as long as nobody took them up', async () => {
    await ada.post('/account/invitations', { invitee: 'Grace' });
    const again = await ada.post('/account/invitations/2');
    expect(await again.text()).toContain('Send this link to');
    expect((await ada.post('/account/invitations/1')).status).toBe(404);
    expect((await ada.post('/account/invitations/99')).status).toBe(404);
  });

  it('need a name', async () => {
    expect(await (await ada.post('/account/invitations', { invitee: ' ' })).text()).toContain('id="invitee-problem"');
  });
});
