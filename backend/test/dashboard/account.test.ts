import { beforeEach, describe, expect, it } from 'vitest';
import { SESSION_LIFETIME_MS } from '../../src/domain/accounts/names-invitations-sessions.ts';
import { holder, ownerForEach, PASSWORD, textOf, type Visitor, visit } from '../support/visitor.ts';

const { terse, ada } = ownerForEach();

const NEXT = 'another horse battery';

async function signIn(name = 'Ada', password = PASSWORD): Promise<Visitor> {
  const visitor = visit(terse);
  await visitor.post('/sign-in', { name, password });
  return visitor;
}

describe('the password', () => {
  it('can be changed by a user who knows it, which ends all other sessions', async () => {
    const other = await signIn();
    const answer = await ada.post('/account/password', { current: PASSWORD, password: NEXT, again: NEXT });
    expect(answer.headers.get('location')).toBe('/account?done=password');
    expect(await ada.page('/account?done=password')).toContain('signed out on all other devices');
    expect((await other.get('/links')).status).toBe(303);
    expect((await (await signIn('Ada', NEXT)).get('/links')).status).toBe(200);
    expect((await (await signIn('Ada', PASSWORD)).get('/links')).status).toBe(303);
  });

  it('starts a new session when it is changed, so that the old cookie no longer works', async () => {
    const old = visit(terse);
    old.cookie = ada.cookie;
    await ada.post('/account/password', { current: PASSWORD, password: NEXT, again: NEXT });
    expect(ada.cookie).not.toBe(old.cookie);
    expect([(await old.get('/links')).status, (await ada.get('/links')).status]).toEqual([303, 200]);
  });

  it.each([
    [{ current: 'wrong', password: NEXT, again: NEXT }, 'current'],
    [{ current: PASSWORD, password: 'short', again: 'short' }, 'password'],
    [{ current: PASSWORD, password: NEXT, again: `${NEXT}!` }, 'again'],
  ])('is not changed by a form with %j', async (fields, field) => {
    const answer = await ada.post('/account/password', fields);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(`id="${field}-problem"`);
    expect((await (await signIn()).get('/links')).status).toBe(200);
  });

  it('no longer works after a change, even for a sign-in that had just verified it', async () => {
    const { accounts } = terse.store;
    const credentials = accounts.credentials.bind(accounts);
    accounts.credentials = async (name) => {
      const found = await credentials(name);
      await ada.post('/account/password', { current: PASSWORD, password: NEXT, again: NEXT });
      return found;
    };
    const late = visit(terse);
    const answer = await late.post('/sign-in', { name: 'Ada', password: PASSWORD });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('Wrong name or password')]);
    expect((await late.get('/links')).status).toBe(303);
    expect(await terse.store.sessions.list(1)).toHaveLength(1);
  });

  it('has a common limit of attempts for all pages that check it', async () => {
    const grace = await holder(terse, 'Grace');
    const change = { current: 'wrong', password: NEXT, again: NEXT };
    const statuses = [];
    for (let round = 0; round < 3; round += 1) {
      statuses.push((await visit(terse).post('/sign-in', { name: ' GRACE', password: 'wrong' })).status);
      statuses.push((await grace.post('/account/password', change)).status);
      statuses.push((await grace.post('/account/delete', { confirmation: 'wrong' })).status);
    }
    expect(statuses).toEqual([...Array(8).fill(400), 429]);
  });
});

describe('sessions', () => {
  it('are listed with device and times, but without IP address', async () => {
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

  it('are listed until they expire', async () => {
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

  it('cannot be ended by another account', async () => {
    const grace = await holder(terse, 'Grace');
    const [session] = await terse.store.sessions.list(1);
    expect((await grace.post(`/account/sessions/${session?.id}/end`)).status).toBe(404);
    expect((await ada.get('/links')).status).toBe(200);
  });

  it('escape the name of the browser', async () => {
    const headers = { 'Sec-Fetch-Site': 'same-origin', 'User-Agent': '<script>alert(1)</script> "Chrome/1" on <b>' };
    await visit(terse).post('/sign-in', { name: 'Ada', password: PASSWORD }, headers);
    expect(await ada.page('/account')).not.toMatch(/<script>alert|<b>/);
  });
});

describe('a disabled account', () => {
  it('cannot sign in, sees the message for a wrong password, and its links still work', async () => {
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

  it('cannot be taken over with an invitation', async () => {
    await ada.post('/account/invitations', { invitee: 'Grace' });
    await terse.store.accounts.disable(2, terse.clock.now);
    expect(await ada.page('/account')).not.toContain('/account/invitations/2');
    expect((await ada.post('/account/invitations/2')).status).toBe(404);
  });
});

describe('an account that its user deletes', () => {
  let grace: Visitor;
  beforeEach(async () => {
    grace = await holder(terse, 'Grace');
    await grace.post('/links', { url: 'https://example.com/', code: 'graces' });
    expect((await terse.visit('/graces')).status).toBe(302);
  });

  it('is deleted with its short URLs', async () => {
    expect(textOf(await grace.page('/account'))).toContain('Your short URLs stop working');
    const answer = await grace.post('/account/delete', { confirmation: PASSWORD });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Your account was deleted')]);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^terse=; Max-Age=0/);
    expect((await (await signIn('Grace')).get('/links')).status).toBe(303);
    // The process caches the link for less than a second. `link-cache.test.ts` checks the exact time.
    let status = 302;
    while (status === 302) status = (await terse.visit('/graces')).status;
    expect(status).toBe(410);
    expect((await ada.post('/links', { url: 'https://example.com/', code: 'graces' })).status).toBe(400);
    expect(textOf(await ada.page('/account'))).not.toContain('Grace');
  });

  it('cannot be the owner’s account', async () => {
    expect(await ada.page('/account')).not.toContain('/account/delete');
    expect((await ada.post('/account/delete', { confirmation: PASSWORD })).status).toBe(404);
    expect((await ada.get('/links')).status).toBe(200);
  });
});

describe('invitations', () => {
  it('create an account that cannot see other accounts', async () => {
    await ada.post('/links', { url: 'https://example.com/', code: 'adas' });
    const answer = await ada.post('/account/invitations', { invitee: 'Grace <i>' });
    const html = await answer.text();
    expect(html).toContain('Grace &lt;i&gt;');
    const [, path = ''] = /<code>http:\/\/[^/]+(\/welcome\/[\w-]+)<\/code>/.exec(html) ?? [];
    const grace = visit(terse);
    await grace.post(path, { name: 'Grace', password: NEXT, again: NEXT });
    expect(textOf(await grace.page('/links'))).toContain('No links yet');
    for (const adas of ['/links/adas', '/links/adas/qr.svg']) {
      expect((await grace.get(adas)).status).toBe(404);
    }
    for (const [adas, fields] of [
      ['/links/adas', { title: 'Mine' }],
      ['/selection', { code: 'adas', action: 'delete' }],
    ] as const) {
      expect((await grace.post(adas, fields)).status).toBe(404);
    }
    expect(await (await grace.get('/links/export.csv')).text()).not.toContain('adas');
    expect(await terse.store.links.find(1, 'adas')).toMatchObject({ title: null, deletedAt: null });
  });

  it('can only be created by the owner', async () => {
    const grace = await holder(terse, 'Grace');
    expect(await grace.page('/account')).not.toContain('Invite someone');
    expect((await grace.post('/account/invitations', { invitee: 'Eve' })).status).toBe(403);
    expect((await grace.post('/account/invitations/1')).status).toBe(403);
    expect(await terse.store.accounts.list()).toHaveLength(2);
  });

  it('can be replaced until they are accepted', async () => {
    await ada.post('/account/invitations', { invitee: 'Grace' });
    const again = await ada.post('/account/invitations/2');
    expect(await again.text()).toContain('Send this link to');
    expect((await ada.post('/account/invitations/1')).status).toBe(404);
    expect((await ada.post('/account/invitations/99')).status).toBe(404);
  });

  it('cannot be created without a name', async () => {
    expect(await (await ada.post('/account/invitations', { invitee: ' ' })).text()).toContain('id="invitee-problem"');
  });
});
