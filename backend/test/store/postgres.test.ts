import { Client } from 'pg';
import { expect, it } from 'vitest';
import { postgres, serializable } from '../support/postgres.ts';
import { storeSuite } from './suite.ts';

storeSuite(postgres);
storeSuite(serializable);

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
