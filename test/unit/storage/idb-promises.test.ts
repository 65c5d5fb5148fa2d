import { wrap } from 'idb';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase, writeIn } from '../../../src/storage/database.ts';
import { abort, committed, resultOf } from '../../../src/storage/idb-promises.ts';
import { aRequest } from '../queue/support/queue-builders.ts';
import { everythingOnDisk, freshDisk } from '../support/disk.ts';

let database: Database;

beforeEach(async () => {
  freshDisk();
  database = await openDatabase();
});

const begin = () => database.transaction(['requests', 'secrets'], 'readwrite', { durability: 'strict' });

/** Returns a promise's result or error name as an object. */
const endOf = (promise: Promise<unknown>) =>
  promise.then(
    (value) => ({ value }),
    ({ name }) => ({ failed: name }),
  );

describe('a transaction ends as in the library idb, with the same error', () => {
  const both = (transaction: IDBTransaction) => [endOf(committed(transaction)), endOf(wrap(transaction).done)] as const;

  test.each<[what: string, work: (transaction: ReturnType<typeof begin>) => void, end: object]>([
    ['nothing is done', () => {}, { value: undefined }],
    ['a record is written', (transaction) => transaction.objectStore('secrets').put('key', 'c'), { value: undefined }],
    ['it is aborted', (transaction) => transaction.abort(), { failed: 'AbortError' }],
    [
      'a write fails',
      (transaction) => {
        transaction.objectStore('requests').add(aRequest('a'));
        transaction.objectStore('requests').add(aRequest('a'));
      },
      { failed: 'ConstraintError' },
    ],
  ])('if %s', async (_what, work, end) => {
    const transaction = begin();
    const [here, there] = both(transaction);
    work(transaction);
    expect(await here).toEqual(end);
    // The `idb` library rejects before the transaction knows its error, so the error names differ.
    expect('failed' in (await there)).toBe('failed' in end);
  });
});

test('a request returns its result or its error', async () => {
  const requests = begin().objectStore('requests');
  expect(await resultOf(requests.add(aRequest('a')))).toBe('a');
  expect(await resultOf(requests.get('a'))).toEqual(aRequest('a'));
  expect(await resultOf(requests.get('b'))).toBeUndefined();
  await expect(resultOf(requests.add(aRequest('a')))).rejects.toMatchObject({ name: 'ConstraintError' });
});

test('aborting an ended transaction does nothing', async () => {
  const transaction = begin();
  await committed(transaction);
  abort(transaction);
});

describe('if one of several writes fails, nothing is written', () => {
  test('even if none is awaited', async () => {
    const work = writeIn(database, ['requests'], (transaction) => {
      transaction.objectStore('requests').add(aRequest('a'));
      transaction.objectStore('requests').add(aRequest('a'));
      return null;
    });
    await expect(work).rejects.toMatchObject({ name: 'ConstraintError' });
    expect((await everythingOnDisk(database)).requests).toEqual([]);
  });

  test('if it fails at once', async () => {
    const work = writeIn(database, ['requests'], (transaction) => {
      transaction.objectStore('requests').put(aRequest('a'));
      transaction.objectStore('requests').put({ ...aRequest('b'), title: (() => {}) as never });
    });
    await expect(work).rejects.toMatchObject({ name: 'DataCloneError' });
    expect((await everythingOnDisk(database)).requests).toEqual([]);
  });
});
