import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { expect, inject, it } from 'vitest';
import { openStore } from '../src/store/open-store.ts';
import { PATIENT } from './support/patient.ts';
import { startPgBouncer } from './support/pgbouncer.ts';
import { codesOf, link, makeKey, NOON, submission } from './support/store.ts';

it('the service works with a pooler that gives each transaction another connection and loses statements', async () => {
  const database = `pooler_${randomUUID().replaceAll('-', '')}`;
  const client = new Client({ connectionString: inject('postgres') });
  await client.connect();
  await client.query(`CREATE DATABASE ${database}`).finally(() => client.end());
  const pooler = await startPgBouncer(inject('postgres'));
  const store = await openStore(
    { engine: 'postgres', url: pooler.url(database), connections: 10, timeout: PATIENT },
    NOON,
  );
  const key = await makeKey(store);
  const codes = Array.from({ length: 40 }, (_, at) => `code${at}`);
  const outcomes = await Promise.all(
    codes.map((code) => store.createRequests.submit(submission(key, { links: [link([code])] }))),
  );
  expect(outcomes.flatMap(codesOf)).toEqual(codes);
  expect(await Promise.all(codes.map((code) => store.links.resolve(code)))).not.toContain(null);
  await store.close();
  await pooler.stop();
});
