import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Ask, connect, type Database } from '../../src/store/postgres/connection-pool.ts';
import { type FakePostgres, type Reply, startFakePostgres } from '../support/fake-postgres.ts';
import { postgres } from '../support/postgres.ts';
import type { TestDatabase } from '../support/store.ts';

let created: TestDatabase;
let database: Database;
beforeEach(async () => {
  created = await postgres.create();
  await created.execute('CREATE TABLE rows (name TEXT UNIQUE)');
  // The store has only one connection. The next transaction would see anything that the previous transaction left
  // behind.
  database = connect({ url: created.address, connections: 1 });
});
afterEach(async () => {
  await database.close();
  await created.drop();
});

const names = async () => {
  const rows = await database.read<{ name: string }>(database.prepare('SELECT name FROM rows ORDER BY name'));
  return rows.map(({ name }) => name);
};

it('the store commits statements that were sent together', async () => {
  const add = database.prepare('INSERT INTO rows VALUES ($1)');
  await database.transaction((ask) => Promise.all([ask(add, 'one'), ask(add, 'two')]));
  expect(await names()).toEqual(['one', 'two']);
});

it('the store writes nothing if one of the statements that were sent together fails', async () => {
  const add = database.prepare('INSERT INTO rows VALUES ($1)');
  const fail = database.prepare("SELECT 1 / length('') AS never");
  // Runs statements at every moment after the failure. None of these statements may run outside the transaction.
  const addOn = async (ask: (statement: typeof add, name: string) => Promise<unknown>) => {
    for (let count = 0; count < 50; count += 1) {
      await null;
      await ask(add, `${count}`).catch(() => {});
    }
  };
  let added = Promise.resolve();
  const failing = database.transaction(async (ask) => {
    await ask(add, 'first');
    added = addOn(ask);
    await Promise.all([ask(fail), added]);
  });
  await expect(failing).rejects.toThrow(/division by zero/);
  await added;
  expect(await names()).toEqual([]);
});

describe('a transaction', () => {
  const replies = { BEGIN: Promise.withResolvers<Reply>() };
  let server: FakePostgres;
  let asking: Database;
  beforeEach(async () => {
    replies.BEGIN = Promise.withResolvers<Reply>();
    server = await startFakePostgres((asked) => (asked === 'BEGIN' ? replies.BEGIN.promise : 'refused'));
    asking = connect({ url: server.url, connections: 1 });
  });
  afterEach(async () => {
    await asking.close();
    await server.stop();
  });

  it('sends its first read together with its start, before either has a response', async () => {
    const look = asking.prepare('SELECT name FROM rows', { changesNothing: true });
    const failing = expect(asking.transaction((ask) => ask(look))).rejects.toThrow('refused on purpose');
    await expect.poll(() => server.heard).toEqual(['BEGIN', 'SELECT name FROM rows']);
    replies.BEGIN.resolve('refused');
    await failing;
  });

  it('sends no writes before it has started, and nothing at all if it cannot start', async () => {
    const look = asking.prepare('SELECT name FROM rows', { changesNothing: true });
    const add = asking.prepare('INSERT INTO rows VALUES ($1)');
    const work = (ask: Ask) => Promise.all([ask(add, 'one'), ask(look)]);
    const failing = expect(asking.transaction(work)).rejects.toThrow('refused on purpose');
    await expect.poll(() => server.heard).toContain('SELECT name FROM rows');
    replies.BEGIN.resolve('refused');
    await failing;
    // The store has only one connection, so all earlier statements have arrived when this one ends.
    await expect(asking.read(asking.prepare('SELECT 1'))).rejects.toThrow('refused on purpose');
    expect(server.heard).toEqual(['BEGIN', 'SELECT name FROM rows', 'ROLLBACK', 'SELECT 1']);
  });
});

it('the store rejects a statement if the connection ends in the same packet that accepts the client', async () => {
  const server = await startFakePostgres(() => null, true);
  const ending = connect({ url: server.url, connections: 1 });
  await expect(ending.write(ending.prepare('SELECT 1'))).rejects.toThrow();
  await ending.close();
  await server.stop();
});
