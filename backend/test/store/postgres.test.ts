import { Client } from 'pg';
import { expect, it } from 'vitest';
import { connect } from '../../src/store/postgres/connection-pool.ts';
import { UNSORTED } from '../../src/store/sql/click-queries.ts';
import { addClicks, click } from '../support/clicks.ts';
import { postgres } from '../support/postgres.ts';
import { storeSuite } from './suite.ts';

storeSuite(postgres);

it('PostgreSQL sorts codes by bytes, regardless of the database’s language', async () => {
  const database = await postgres.create();
  await (await database.open()).close();
  const client = new Client({ connectionString: database.address });
  await client.connect();
  const { rows } = await client.query(
    `SELECT collation_name FROM information_schema.columns
     WHERE table_schema = current_schema AND table_name = 'links' AND column_name = 'code'`,
  );
  expect(rows).toEqual([{ collation_name: 'C' }]);
  await client.end();
  await database.drop();
});

it('a server counts clicks while a server in another schema of the database counts its own', async () => {
  const [own, other] = [await postgres.createMigrated(), await postgres.createMigrated()];
  const [ownStore, otherStore] = [await own.open(), await other.open()];
  for (const store of [ownStore, otherStore]) await addClicks(store, [click(1)]);
  const counting = connect({ url: other.address, connections: 1 });
  await counting.transaction(async (run) => {
    await counting.lockCounting(run);
    expect(await otherStore.clicks.count(UNSORTED, 10)).toBeNull();
    expect(await ownStore.clicks.count(UNSORTED, 10)).toMatchObject({ clicks: 1 });
  });
  for (const open of [counting, ownStore, otherStore]) await open.close();
  for (const database of [own, other]) await database.drop();
});
