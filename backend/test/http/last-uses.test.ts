import { HEADER } from '@terse/contract';
import { expect, it } from 'vitest';
import { StoreUnavailable } from '../../src/store/store-errors.ts';
import { post, serviceForEach } from '../support/service.ts';
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

it('the service saves a key’s last use once for concurrent requests', async () => {
  const key = await terse.newKey();
  const noting: (() => void)[] = [];
  terse.store.keys.touch = () => new Promise<void>((resolve) => noting.push(resolve));
  const read = async () => (await terse.ask('/api/v1/key', { headers: { [HEADER.apiKey]: key } })).status;
  expect(await Promise.all([read(), read(), read()])).toEqual([200, 200, 200]);
  expect(noting).toHaveLength(1);
  noting[0]?.();
});
