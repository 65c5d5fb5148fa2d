import { expect, it } from 'vitest';
import { StoreFull } from '../../src/store/store-errors.ts';
import { post, serviceForFile } from '../support/service.ts';

const terse = serviceForFile();

it('the service reports a full disk, and still answers requests that write nothing', async () => {
  const key = await terse.newKey();
  const made = (await (await terse.ask('/api/v1/urls', post(key, { url: 'https://example.com/' }))).json()) as {
    shortCode: string;
  };
  // This test throws the error of a full disk itself. The store tests check that SQLite's error becomes `StoreFull`.
  terse.store.createRequests.submit = () => Promise.reject(new StoreFull(new Error('database or disk is full')));
  const answer = await terse.ask('/api/v1/urls', post(key, { url: 'https://example.com/' }));
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('60');
  expect(await answer.json()).toEqual({
    error: 'The disk of this service is full, so nothing can be saved. The operator must free up space.',
    code: 'unavailable',
  });
  expect((await terse.visit(`/${made.shortCode}`)).status).toBe(302);
});
