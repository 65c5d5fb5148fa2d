import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { systemRandom } from '../../src/domain/random.ts';
import { createMissGuard } from '../../src/routes/miss-guard.ts';

const MOST_CLIENTS = 20_000;
const from = (client: string) => ({ headers: { client } }) as unknown as IncomingMessage;
const clientOf = ({ headers }: IncomingMessage) => String(headers.client);

it('remembers so many clients and no more, whoever was seen last', () => {
  const guard = createMissGuard(clientOf, () => 0, systemRandom);
  for (const client of ['first', 'second']) {
    for (let misses = 0; misses < 60; misses += 1) guard.miss(from(client));
    expect(guard.wait(from(client))).toBe(1);
  }
  for (let others = 0; others < MOST_CLIENTS - 1; others += 1) guard.miss(from(`other ${others}`));
  expect(guard.wait(from('first'))).toBe(0);
  expect(guard.wait(from('second'))).toBe(1);
});

it('asks who a client is only while one of them is refused', () => {
  let now = 0;
  let asked = 0;
  const counted = (request: IncomingMessage) => {
    asked += 1;
    return clientOf(request);
  };
  const guard = createMissGuard(counted, () => now, systemRandom);
  guard.wait(from('a'));
  expect(asked).toBe(0);
  for (let misses = 0; misses < 60; misses += 1) guard.miss(from('b'));
  asked = 0;
  expect(guard.wait(from('a'))).toBe(0);
  expect(asked).toBe(1);
  now += 1000;
  expect(guard.wait(from('b'))).toBe(0);
  expect(asked).toBe(1);
});

it('holds nobody for longer than a moment where the clock is set back', () => {
  let now = 1_000_000_000;
  const guard = createMissGuard(clientOf, () => now, systemRandom);
  for (let misses = 0; misses < 60; misses += 1) guard.miss(from('a'));
  now -= 900_000_000;
  expect(guard.wait(from('a'))).toBeLessThanOrEqual(1);
  expect(guard.wait(from('b'))).toBe(0);
});
