import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { createGroupCommits, type GroupCommits } from '../../src/store/sqlite/group-commits.ts';
import { createWriteTurns } from '../../src/store/write-turns.ts';

let connection: DatabaseSync;
let commits: GroupCommits;
beforeEach(() => {
  connection = new DatabaseSync(':memory:');
  connection.exec(`CREATE TABLE parents (id INTEGER PRIMARY KEY);
    CREATE TABLE children (parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)`);
  commits = createGroupCommits(connection, createWriteTurns());
});

const count = () => connection.prepare('SELECT count(*) AS n FROM children').get()?.n;
const insert = (parent: number | null) =>
  commits.write(() => connection.prepare('INSERT INTO children VALUES (?)').run(parent).changes);

describe('grouped commits', () => {
  it('run within a transaction and answer each its own result', async () => {
    const seen: boolean[] = [];
    const write = () => commits.write(() => seen.push(connection.isTransaction));
    expect(await Promise.all([write(), write()])).toEqual([1, 2]);
    expect(seen).toEqual([true, true]);
    expect(connection.isTransaction).toBe(false);
  });

  it('tell nobody of success before the commit', async () => {
    let inTransaction: boolean | null = null;
    await insert(null).then(() => {
      inTransaction = connection.isTransaction;
    });
    expect(inTransaction).toBe(false);
  });

  it('that cannot be committed fail for all of the group, and the next group works', async () => {
    // The missing parent is only noticed by COMMIT itself.
    const results = await Promise.allSettled([insert(null), insert(7), insert(null)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(count()).toBe(0);
    await insert(null);
    expect(count()).toBe(1);
  });
});
