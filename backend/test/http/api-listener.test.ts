import { expect, it } from 'vitest';
import { checkError, startTestService } from '../support/service.ts';

it('an unexpected error is logged, and the client gets no details', async () => {
  const terse = await startTestService();
  const key = await terse.newKey();
  terse.store.keys.find = () => Promise.reject(new Error('a fault of the program'));
  const response = await terse.ask('/api/v1/key', { headers: { 'X-API-Key': key } });
  expect(await checkError(response)).toMatchObject({ code: 'internal_error' });
  const errors = terse.log.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
  expect(errors).toMatchObject([
    { message: 'a request failed', error: expect.stringContaining('a fault of the program') },
  ]);
  await terse.stop();
});
