import { beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase, readIn, writeIn } from '../../../src/storage/database.ts';
import { aRequest } from '../queue/support/queue-builders.ts';
import { everythingOnDisk, freshDisk } from '../support/disk.ts';

let database: Database;

beforeEach(async () => {
  freshDisk();
  database = await openDatabase();
});

const requestsOnDisk = async () => (await everythingOnDisk(database)).requests;

test('a write ends with its value once everything is on disk', async () => {
  const value = await writeIn(database, ['requests'], async (transaction) => {
    await transaction.objectStore('requests').add(aRequest('a'));
    return transaction.objectStore('requests').count();
  });
  expect(value).toBe(1);
  expect(await requestsOnDisk()).toEqual([['a', aRequest('a')]]);
});

test('a transaction without requests ends', async () => {
  expect(await writeIn(database, ['requests'], async () => 'done')).toBe('done');
  expect(await readIn(database, ['requests'], async () => 'done')).toBe('done');
});

test.each<[what: string, second: () => object, error: string]>([
  ['a key exists', () => aRequest('a'), 'ConstraintError'],
  ['a value cannot be stored', () => ({ ...aRequest('b'), title: () => {} }), 'DataCloneError'],
])('if a write fails because %s, nothing is written', async (_what, second, error) => {
  const work = writeIn(database, ['requests'], async (transaction) => {
    await transaction.objectStore('requests').add(aRequest('a'));
    await transaction.objectStore('requests').add(second() as never);
  });
  await expect(work).rejects.toMatchObject({ name: error });
  expect(await requestsOnDisk()).toEqual([]);
});

test('if a transaction is aborted, nothing is written', async () => {
  const work = writeIn(database, ['requests'], async (transaction) => {
    await transaction.objectStore('requests').add(aRequest('a'));
    transaction.abort();
  });
  await expect(work).rejects.toMatchObject({ name: 'AbortError' });
  expect(await requestsOnDisk()).toEqual([]);
});

test('a read of an aborted transaction fails', async () => {
  const work = readIn(database, ['requests'], async (transaction) => {
    transaction.abort();
    return transaction.objectStore('requests').getAll();
  });
  await expect(work).rejects.toMatchObject({ name: 'InvalidStateError' });
});
