import { expect, test } from 'vitest';
import { lookUpCode } from '../../../src/service/look-up-code.ts';

const answers = (status: number) => async () => new Response(status === 200 ? '{}' : null, { status });

test.each([
  [200, 'yours'],
  [404, 'none'],
  [410, 'retired'],
  [401, 'unknown'],
  [403, 'unknown'],
  [429, 'unknown'],
  [503, 'unknown'],
] as const)('a service that answers %d tells: %s', async (status, use) => {
  expect(await lookUpCode(answers(status), 'https://a.example', 'key', 'river')).toBe(use);
});

test('no answer tells nothing', async () => {
  const lost = () => Promise.reject(new TypeError('Failed to fetch'));
  expect(await lookUpCode(lost, 'https://a.example', 'key', 'river')).toBe('unknown');
});

test('it is a read, with the key, of that code alone', async () => {
  const asked: [string, RequestInit][] = [];
  await lookUpCode(
    async (url, init) => {
      asked.push([url, init]);
      return new Response('{}');
    },
    'https://a.example/api-host',
    'key',
    'river',
  );
  expect(asked).toMatchObject([
    ['https://a.example/api-host/api/v1/urls/river', { headers: { Authorization: 'Bearer key' }, redirect: 'manual' }],
  ]);
  expect(asked[0]?.[1].method ?? 'GET').toBe('GET');
});
