import { ErrorBody, HEADER, Link } from '@terse/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { post, serviceForEach } from '../support/service.ts';
import { NOON } from '../support/store.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';
const MADE = { url: 'https://example.com/old', shortCode: 'mine', title: 'Old', expiresAt: '2027-01-01T00:00:00.000Z' };

const terse = serviceForEach({ TERSE_THROTTLE: '1000', TERSE_DAILY_QUOTA: '1000' });
let key: string;
let made: Link;
beforeEach(async () => {
  key = await terse.newKey();
  made = Link.parse(await (await terse.ask('/api/v1/urls', post(key, MADE))).json());
});

/** Moves the clock forward, so that the request is not throttled, and sends it. */
const edit = (body: unknown, { code = 'mine', by = key } = {}) => {
  terse.clock.now += 1000;
  return terse.ask(`/api/v1/urls/${code}`, { ...post(by, body), method: 'PATCH' });
};
const read = async () => Link.parse(await (await terse.ask('/api/v1/urls/mine', { headers: bearer() })).json());
const bearer = () => ({ [HEADER.authorization]: `Bearer ${key}` });
const target = async () => (await terse.visit('/mine', { headers: { 'User-Agent': FIREFOX } })).headers.get('location');
const errorOf = async (response: Response) => [response.status, ErrorBody.parse(await response.json()).code];

describe('PATCH /api/v1/urls/{shortCode}', () => {
  it('changes the given fields, returns the link, and keeps other fields', async () => {
    const response = await edit({ url: 'https://example.com/a b' });
    expect(response.status).toBe(200);
    const edited = Link.parse(await response.json());
    expect(edited).toEqual({ ...made, url: 'https://example.com/a%20b' });
    expect(await read()).toEqual(edited);
    const more = await edit({ title: ' New\n ', expiresAt: '2028-01-01t01:00:00+01:00', shortCode: 'other' });
    expect(await more.json()).toEqual({ ...edited, title: 'New', expiresAt: '2028-01-01T00:00:00.000Z' });
  });

  it('clears a title and an expiry with null, and changes nothing without fields', async () => {
    expect(await (await edit({})).json()).toEqual(made);
    expect(await (await edit({ title: null, expiresAt: null })).json()).toEqual({
      ...made,
      title: null,
      expiresAt: null,
    });
  });

  it('is refused if it contains only __proto__', async () => {
    terse.clock.now += 1000;
    const sent = { ...post(key, {}), body: '{"__proto__": {"title": "x"}}', method: 'PATCH' };
    expect(await errorOf(await terse.ask('/api/v1/urls/mine', sent))).toEqual([400, 'invalid_request']);
  });

  it('redirects to the new URL at once, and keeps the click count', async () => {
    // The service caches a link only after several visits.
    for (let times = 0; times < 3; times += 1) expect(await target()).toBe(MADE.url);
    await edit({ url: 'https://example.com/new' });
    expect(await target()).toBe('https://example.com/new');
    await terse.service.clicks.settle();
    expect((await read()).clicks).toBe(4);
  });

  it.each([
    [{ url: 'nonsense' }, 'invalid_url'],
    [{ url: null }, 'invalid_url'],
    [{ url: 7, title: 7 }, 'invalid_url'],
    [{ url: 'http://10.0.0.1/' }, 'target_refused'],
    [{ title: 'a'.repeat(301) }, 'invalid_title'],
    [{ title: 7 }, 'invalid_title'],
    [{ expiresAt: 'tomorrow' }, 'invalid_expiry'],
    [{ expiresAt: new Date(NOON).toISOString() }, 'invalid_expiry'],
    [{ expiresAt: '9999-12-31T23:59:59-23:59' }, 'invalid_expiry'],
    [{ title: 'New', expiresAt: 7 }, 'invalid_expiry'],
    [{ titel: 'New', shortCode: 'other' }, 'invalid_request'],
    [[], 'invalid_request'],
    [null, 'invalid_request'],
    ['{', 'invalid_json'],
  ])('refuses %j with %s and changes nothing', async (body, code) => {
    expect(await errorOf(await edit(body))).toEqual([400, code]);
    expect(await read()).toEqual(made);
  });

  it('does not count against the quota, and has a separate throttle', async () => {
    const left = async () => {
      const response = await terse.ask('/api/v1/key', { headers: bearer() });
      return ((await response.json()) as { quota: { remaining: number } }).quota.remaining;
    };
    const before = await left();
    const response = await edit({ title: 'New' });
    expect(response.headers.get(HEADER.rateLimit)).toContain('"reads"');
    expect(await left()).toBe(before);
  });
});
