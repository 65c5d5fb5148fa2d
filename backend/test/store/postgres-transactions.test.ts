import { afterEach, beforeEach, expect, it } from 'vitest';
import { connect, type Database } from '../../src/store/postgres/database.ts';
import { postgres } from '../support/postgres.ts';
import type { TestDatabase } from '../support/store.ts';

let created: TestDatabase;
let database: Database;
beforeEach(async () => {
  created = await postgres.create();
  await created.execute('CREATE TABLE rows (name TEXT UNIQUE)');
  // One connection, so that what a transaction leaves behind meets the next one.
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

it('commits statements that were sent together', async () => {
  const add = database.prepare('INSERT INTO rows VALUES ($1)');
  await database.transaction((ask) => Promise.all([ask(add, 'one'), ask(add, 'two')]));
  expect(await names()).toEqual(['one', 'two']);
});

it('writes nothing once one of the statements that were sent together has failed', async () => {
  const add = database.prepare('INSERT INTO rows VALUES ($1)');
  const fail = database.prepare("SELECT 1 / length('') AS never");
  // Asked at every instant after the failure: those that come too late must not be a transaction of their own.
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

it('begins a transaction and its first look in one round trip, and undoes both where that fails', async () => {
  const look = database.prepare('SELECT name::int FROM rows', { changesNothing: true });
  const add = database.prepare('INSERT INTO rows VALUES ($1)');
  await database.write(add, 'no number');
  await expect(database.transaction((ask) => ask(look))).rejects.toThrow(/invalid input syntax/);
  expect(await names()).toEqual(['no number']);
});
