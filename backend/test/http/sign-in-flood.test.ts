import { expect, it } from 'vitest';
import { serviceForFile } from '../support/service.ts';

const terse = serviceForFile({ TERSE_TRUSTED_PROXIES: '127.0.0.1' });

it('excess sign-ins with many names from many networks are answered with Retry-After', async () => {
  const { api } = terse.service.addresses;
  const signIn = (at: number) =>
    fetch(`${api}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: api, Accept: 'text/html', 'X-Forwarded-For': `198.51.${at >> 8}.${at & 255}` },
      body: new URLSearchParams({ name: `name${at}`, password: 'some password or other' }),
    });
  const responses = await Promise.all(Array.from({ length: 120 }, (_, at) => signIn(at)));
  const byStatus = Object.groupBy(responses, ({ status }) => status);
  expect(Object.keys(byStatus)).toEqual(['400', '503']);
  const [refused] = byStatus[503] ?? [];
  expect(refused?.headers.get('retry-after')).toBe('2');
  expect(await refused?.text()).toContain('Too many people are signing in right now.');
  expect((await signIn(500)).status).toBe(400);
});
