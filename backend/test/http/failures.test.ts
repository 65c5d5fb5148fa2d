import { HEADER } from '@terse/contract';
import { expect, it } from 'vitest';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { StoreFull, StoreUnavailable } from '../../src/store/store-errors.ts';
import { checkError, post, serviceForEach } from '../support/service.ts';
import { link, NOON } from '../support/store.ts';
import { holder } from '../support/visitor.ts';

const MINUTE = 60_000;

const terse = serviceForEach();

async function useAll(): Promise<number[]> {
  const key = await terse.newKey();
  const ada = await holder(terse);
  terse.clock.now += MINUTE;
  const read = terse.ask('/api/v1/key', { headers: { [HEADER.apiKey]: await terse.newKey() } });
  const made = terse.ask('/api/v1/urls', post(key, { url: 'https://example.com/' }));
  return (await Promise.all([read, made, ada.get('/links')])).map(({ status }) => status);
}

it('the service responds before it saves a key’s last use', async () => {
  const noting: (() => void)[] = [];
  const hang = () => new Promise<void>((resolve) => noting.push(resolve));
  terse.store.keys.touch = hang;
  terse.store.sessions.touch = hang;
  expect(await useAll()).toEqual([200, 201, 200]);
  expect(noting).toHaveLength(3);
  for (const resolve of noting) resolve();
});

it('the service responds even if it cannot save a key’s last use, and logs that once', async () => {
  const fail = () => Promise.reject(new StoreUnavailable(new Error('away')));
  terse.store.keys.touch = fail;
  terse.store.sessions.touch = fail;
  expect(await useAll()).toEqual([200, 201, 200]);
  const lines = terse.log.filter((line) => line.includes('could not save when a key or session was last used'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('away');
});

it('the service reports a full disk, and still answers requests that write nothing', async () => {
  const key = await terse.newKey();
  await terse.store.links.create(FIRST_ACCOUNT, link(['otter']), NOON);
  // This test throws the error of a full disk itself. The store tests check that SQLite's error becomes `StoreFull`.
  terse.store.createRequests.submit = () => Promise.reject(new StoreFull(new Error('database or disk is full')));
  const answer = await terse.ask('/api/v1/urls', post(key, { url: 'https://example.com/' }));
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('60');
  expect(await answer.json()).toEqual({
    error: 'The disk of this service is full, so nothing can be saved. The operator must free up space.',
    code: 'unavailable',
  });
  expect((await terse.visit('/otter')).status).toBe(302);
});

it('a link that cannot be sent, because it was changed in the database, gets an error again and again', async () => {
  await terse.store.links.create(FIRST_ACCOUNT, link(['otter'], { url: 'https://example.com/€' }), NOON);
  // The first clicks change the database, so only later ones find the link in the cache.
  for (let click = 0; click < 6; click += 1) expect((await terse.visit('/otter')).status).toBe(503);
});

it('an unexpected error is logged, and the client gets no details', async () => {
  const key = await terse.newKey();
  terse.store.keys.find = () => Promise.reject(new Error('a fault of the program'));
  const response = await terse.ask('/api/v1/key', { headers: { 'X-API-Key': key } });
  expect(await checkError(response)).toMatchObject({ code: 'internal_error' });
  const errors = terse.log.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
  expect(errors).toMatchObject([
    { message: 'a request failed', error: expect.stringContaining('a fault of the program') },
  ]);
});
