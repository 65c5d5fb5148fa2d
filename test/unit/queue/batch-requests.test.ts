import { describe, expect, test } from 'vitest';
import { NO_OPTIONS } from '../../../src/queue/add-replace-delete-connection.ts';
import { batchItemOf, itemOf, selectBatch, splitIntoChunks } from '../../../src/queue/batch-requests.ts';
import type { Request } from '../../../src/queue/types.ts';
import { aRequest, fullService, specOnly } from './support/queue-builders.ts';

const select = (due: Request[], connection = fullService()) => selectBatch(due, connection).map(({ id }) => id);
const requests = (count: number, part: Partial<Request> = {}) =>
  Array.from({ length: count }, (_, at) => aRequest(String(at), part));

describe('the JSON of a request', () => {
  test('contains only its URL if the user chose nothing', () => {
    expect(itemOf(aRequest('a'))).toEqual({ url: 'https://x.example/a' });
    expect(batchItemOf(aRequest('a'))).toEqual({ url: 'https://x.example/a', idempotencyKey: 'key-a' });
  });

  test('contains every chosen option, and the code of the user instead of a generated one', () => {
    const options = { shortCode: 'mine', title: 'Title', expiresAt: '2027-01-01T00:00:00Z' };
    const generatedCode = 'abc';
    const all = { url: 'https://x.example/a', domain: 's.example', ...options };
    expect(itemOf(aRequest('a', { options, generatedCode, domain: 's.example' }))).toEqual(all);
    expect(itemOf(aRequest('a', { generatedCode }))).toEqual({ url: 'https://x.example/a', shortCode: 'abc' });
  });
});

describe('a batch', () => {
  test('contains up to fifty requests, in their order', () => {
    expect(select(requests(51))).toEqual(requests(50).map(({ id }) => id));
    expect(select(requests(3))).toEqual(['0', '1', '2']);
    expect(select([])).toEqual([]);
  });

  test('contains one request if the service supports no batches', () => {
    expect(select(requests(3), specOnly)).toEqual(['0']);
  });

  test.each<[string, Partial<Request>]>([
    ['that must be sent alone', { alone: true }],
    ['that was sent before', { attempts: 1 }],
  ])('contains no request %s, which is sent alone instead', (_, part) => {
    const single = aRequest('single', part);
    expect(select([aRequest('a'), single, aRequest('b')])).toEqual(['a', 'b']);
    expect(select([single, aRequest('a')])).toEqual(['single']);
  });

  test('has at most 48 KiB, counted in bytes of UTF-8 with the commas between its items', () => {
    const withTitle = (id: string, title: string) => aRequest(id, { options: { ...NO_OPTIONS, title } });
    const bytesOf = (request: Request) => Buffer.byteLength(JSON.stringify(batchItemOf(request))) + 1;
    const first = withTitle('a', 'é'.repeat(10_000));
    const left = 48 * 1024 - bytesOf(first) - bytesOf(withTitle('b', 'x')) + 1;
    expect(select([first, withTitle('b', 'x'.repeat(left)), aRequest('c')])).toEqual(['a', 'b']);
    expect(select([first, withTitle('b', 'x'.repeat(left + 1))])).toEqual(['a']);
  });

  test('contains only the first request if that request is too large', () => {
    const large = aRequest('large', { url: `https://x.example/${'a'.repeat(60_000)}` });
    expect(select([large, aRequest('a')])).toEqual(['large']);
  });
});

test('a list is split into chunks, of which the last one may be shorter', () => {
  expect(splitIntoChunks([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(splitIntoChunks([1, 2], 2)).toEqual([[1, 2]]);
  expect(splitIntoChunks([], 2)).toEqual([]);
});
