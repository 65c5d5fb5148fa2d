import { afterEach, expect, it } from 'vitest';
import { toNodeListener } from '../../src/http/hono-adapter.ts';
import { createListener, type Listener } from '../../src/http/listener.ts';
import { TIMEOUTS } from '../../src/http/timeouts.ts';
import { createLog } from '../../src/log/json-log.ts';
import { parseAnswer, raw } from '../support/raw.ts';
import { checkError } from '../support/service.ts';

let listener: Listener;
afterEach(() => listener.stop());

const fault = new Error('a fault of the program');

it.each([
  [
    'at once',
    () => {
      throw fault;
    },
  ],
  ['later', () => Promise.reject(fault)],
])('the listener logs an error that the app throws %s, and responds with an internal error', async (_, fetch) => {
  const lines: string[] = [];
  const refused: number[] = [];
  const onMalformed = (status: number) => refused.push(status);
  const log = createLog((line) => lines.push(line), Date.now);
  const answer = toNodeListener(fetch, { baseUrl: 'http://terse.example', log, onMalformed });
  listener = createListener(answer, { ...TIMEOUTS, drain: 0, stop: 0 });
  await listener.listen({ host: '127.0.0.1', port: 0 });
  const heard = await raw(listener.address(), 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const response = parseAnswer(heard);
  expect(response.status).toBe(500);
  expect((await checkError(response)).code).toBe('internal_error');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', message: 'a request failed', error: expect.stringContaining(fault.message) },
  ]);
  expect(refused).toEqual([]);
});
