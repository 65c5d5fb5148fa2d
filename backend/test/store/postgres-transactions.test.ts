import sql from 'sql-template-tag';
import { expect, it } from 'vitest';
import { connect } from '../../src/store/postgres/connection-pool.ts';
import type { Database } from '../../src/store/sql/database.ts';
import { StoreTimeout } from '../../src/store/store-errors.ts';
import { type Reply, startFakePostgres } from '../support/fake-postgres.ts';

const add = (name: string) => sql`INSERT INTO rows VALUES (${name})`;

/** Starts a server that answers each statement with `replyTo`. Returns the texts of all statements. */
async function asking(replyTo: (asked: string) => Reply | null, work: (database: Database) => Promise<unknown>) {
  const server = await startFakePostgres(replyTo);
  const asking = connect({ url: server.url, connections: 1, timeout: 300 });
  try {
    await work(asking);
  } finally {
    await asking.close();
    await server.stop();
  }
  return server.heard;
}

it('a transaction that cannot start sends nothing else', async () => {
  const heard = await asking(
    () => 'refused',
    async (database) => {
      await expect(database.transaction((run) => run(add('one')))).rejects.toThrow('refused on purpose');
    },
  );
  expect(heard).toEqual(['BEGIN ISOLATION LEVEL READ COMMITTED']);
});

it('a transaction whose commit is not answered is not repeated', async () => {
  let times = 0;
  const heard = await asking(
    (asked) => (asked === 'COMMIT' ? null : 'done'),
    async (database) => {
      const work = async () => {
        times += 1;
      };
      await expect(database.transaction(work)).rejects.toThrow(StoreTimeout);
    },
  );
  expect([times, heard]).toEqual([1, ['BEGIN ISOLATION LEVEL READ COMMITTED', 'COMMIT']]);
});

it('the store rejects a statement if the connection ends in the same packet that accepts the client', async () => {
  const server = await startFakePostgres(() => null, true);
  const ending = connect({ url: server.url, connections: 1 });
  await expect(ending.write(sql`SELECT 1`)).rejects.toThrow();
  await ending.close();
  await server.stop();
});
