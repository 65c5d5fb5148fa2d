import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { MAIN } from '../../../scripts/backend-process.ts';
import { type Dump, dumpPostgres, dumpSqlite, fill } from '../support/move.ts';
import { postgres } from '../support/postgres.ts';
import { run } from '../support/process.ts';
import { sqlite } from '../support/sqlite.ts';
import type { TestDatabase } from '../support/store.ts';

const LINKS = 20_000;
const TIMEOUT = 180_000;

/** Points at which the test kills a move: after some lines of output and some milliseconds. */
const KILLS = [0, 6, 20].map((lines) => ({ lines, after: randomInt(300) }));

it.each([
  { name: 'to PostgreSQL', from: sqlite, to: postgres },
  { name: 'to SQLite', from: postgres, to: sqlite },
])(
  'a move $name that is killed repeatedly copies everything in the end',
  async ({ from, to }) => {
    const [source, target] = [await from.create(), await to.create()];
    const folder = mkdtempSync(join(tmpdir(), 'terse-move-'));
    try {
      await fillWithLinks(source);
      const before = await dump(source);
      for (const { lines, after } of KILLS) {
        const child = spawn(process.execPath, [MAIN, 'move', source.address, target.address], { cwd: folder });
        const exited = once(child, 'exit');
        let printed = 0;
        for await (const _ of createInterface({ input: child.stderr })) {
          printed += 1;
          if (printed > lines) break;
        }
        await sleep(after);
        child.kill('SIGKILL');
        await exited;
      }
      const { code, stderr } = await run(folder, ['move', source.address, target.address]);
      expect(code, stderr).toBe(0);
      expect(await dump(target)).toEqual(before);
    } finally {
      rmSync(folder, { recursive: true });
      await Promise.all([source.drop(), target.drop()]);
    }
  },
  TIMEOUT,
);

async function fillWithLinks(database: TestDatabase): Promise<void> {
  const store = await database.open();
  await fill(store);
  await store.close();
  await database.execute(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${LINKS})
     INSERT INTO links (code, url, account_id, created_at) SELECT 'n' || n, 'https://example.com/' || n, 1, n FROM numbers`,
  );
}

const isFile = ({ address }: TestDatabase) => address.startsWith('file:');
const pathOf = ({ address }: TestDatabase) => address.replace('file:', '');

async function dump(database: TestDatabase): Promise<Dump> {
  return isFile(database) ? dumpSqlite(pathOf(database)) : dumpPostgres(database.address);
}
