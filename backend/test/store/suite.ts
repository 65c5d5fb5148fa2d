import { afterEach, beforeEach, describe } from 'vitest';
import type { Store } from '../../src/store/open-store.ts';
import { type Engine, NOON, type TestDatabase } from '../support/store.ts';
import { accountsSuite } from './accounts.suite.ts';
import { clicksSuite } from './clicks.suite.ts';
import { importsSuite } from './imports.suite.ts';
import { lifeSuite } from './life.suite.ts';
import { linksSuite } from './links.suite.ts';
import { submissionsSuite } from './submissions.suite.ts';

/** Database and open store of the running test. */
export interface Bench {
  database: TestDatabase;
  store: Store;
  clock: { now: number };
}

/** Tests for every database engine. Each test starts with an empty database. */
export function storeSuite(engine: Engine): void {
  describe(`the store on ${engine.name}`, () => {
    const bench = {} as Bench;
    beforeEach(async () => {
      bench.database = await engine.createMigrated();
      bench.clock = { now: NOON };
      bench.store = await bench.database.open(NOON, () => bench.clock.now);
    });
    afterEach(async () => {
      await bench.store.close();
      await bench.database.drop();
    });
    accountsSuite(bench);
    importsSuite(bench);
    linksSuite(bench);
    submissionsSuite(bench);
    clicksSuite(bench);
    lifeSuite(bench);
  });
}
