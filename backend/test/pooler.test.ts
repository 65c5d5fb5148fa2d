import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { beforeAll, expect, inject, it } from 'vitest';
import { openStore } from '../src/store/open-store.ts';
import { StoreError } from '../src/store/store-errors.ts';
import { PATIENT } from './support/patient.ts';
import { type Pooler, startPgBouncer } from './support/pgbouncer.ts';
import { NOON } from './support/store.ts';

const database = `pooler_${randomUUID().replaceAll('-', '')}`;
beforeAll(async () => {
  const client = new Client({ connectionString: inject('postgres') });
  await client.connect();
  await client.query(`CREATE DATABASE ${database}`).finally(() => client.end());
});

const open = ({ url }: Pooler) =>
  openStore({ engine: 'postgres', url: url(database), connections: 10, deadlines: PATIENT }, NOON);

it('the service reports at each start that a pooler loses prepared statements', async () => {
  const pooler = await startPgBouncer(inject('postgres'), 'transaction');
  for (const _ of ['first', 'second']) {
    const error = await open(pooler).catch((reason) => reason);
    expect(error).toBeInstanceOf(StoreError);
    expect(error.message).toContain('loses prepared statements. PgBouncer 1.21 or later keeps them');
  }
  await pooler.stop();
});

it('the service works with a pooler that uses a separate server connection for each client', async () => {
  const pooler = await startPgBouncer(inject('postgres'), 'session');
  const store = await open(pooler);
  expect(await store.accounts.get(1)).toMatchObject({ id: 1 });
  await store.close();
  await pooler.stop();
});
