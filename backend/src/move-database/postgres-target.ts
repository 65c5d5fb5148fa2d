import { UNFINISHED_MOVE } from '../store/migrations/refuse-moved-database.ts';
import { applySteps } from '../store/postgres/migrate.ts';
import {
  connect,
  insertInto,
  type Run,
  readable,
  sequenceOf,
  storableRow,
  tableExists,
  transactionsOn,
} from './postgres-rows.ts';
import {
  AlreadyMoved,
  type Copy,
  concurrentMove,
  notEmpty,
  readProgress,
  type Target,
  unfinishedOtherMove,
  writeProgress,
} from './source-and-target.ts';
import type { Table } from './tables-and-rows.ts';

/**
 * Opens the PostgreSQL database to which the data is moved.
 *
 * @throws StoreError if the database already contains Terse tables, unless an interrupted run of the same move
 * created them
 */
export async function postgresTarget(
  url: string,
  source: string,
  tables: readonly Table[],
  now: number,
): Promise<Target> {
  const { run, close } = await connect(url);
  const transaction = transactionsOn(run);
  let storedProgress: string | null;
  try {
    // Commits do not wait for the disk, which makes the move faster. Only the last commit waits, and it also saves
    // all earlier commits.
    await run('SET synchronous_commit = off');
    await transaction(() => begin(run, source, tables));
    await applySteps(url, now);
    await transaction(() => empty(run, tables));
    storedProgress = await progressText(run);
  } catch (error) {
    await close();
    throw error;
  }

  return {
    ...copy(run, tables, close),
    progress: async () => readProgress(storedProgress),
    async append(table, rows, to) {
      const text = writeProgress(to);
      await transaction(async () => {
        const advanced = await run(
          `UPDATE ${UNFINISHED_MOVE} SET progress = $1 WHERE progress IS NOT DISTINCT FROM $2 RETURNING source`,
          text,
          storedProgress,
        );
        if (advanced.length !== 1) throw concurrentMove();
        if (rows.length > 0) await run(insertInto(table), ...table.columns.map((_, at) => rows.map((row) => row[at])));
      });
      storedProgress = text;
    },
    async finish(numbers) {
      await transaction(async () => {
        await run('SET LOCAL synchronous_commit = on');
        for (const [{ name }, last] of numbers) {
          // Sequences in PostgreSQL start at 1, so the next value for an empty table is 1.
          await run('SELECT setval($1, $2, $3)', await sequenceOf(run, name), Math.max(last, 1), last > 0);
        }
        await run(`DROP TABLE ${UNFINISHED_MOVE}`);
      });
    },
  };
}

/** Opens a PostgreSQL database to which the data has already been moved. */
export async function postgresCopy(url: string, tables: readonly Table[]): Promise<Copy> {
  const { run, close } = await connect(url);
  return copy(run, tables, close);
}

function copy(run: Run, tables: readonly Table[], close: Copy['close']): Copy {
  return {
    ...readable(run, false),
    storable: storableRow,
    async tidy() {
      await run(`ANALYZE ${tables.map(({ name }) => name).join(', ')}`);
    },
    close,
  };
}

/**
 * Stores the id of the old database in the new database. Throws if the new database already contains Terse's tables.
 */
async function begin(run: Run, source: string, tables: readonly Table[]): Promise<void> {
  if (await tableExists(run, UNFINISHED_MOVE)) {
    const [row] = await run<{ source: string }>(`SELECT source FROM ${UNFINISHED_MOVE}`);
    if (row?.source !== source) throw unfinishedOtherMove();
    return;
  }
  for (const name of ['migrations', ...tables.map((table) => table.name)]) {
    if (await tableExists(run, name)) throw (await isCopy(run, source)) ? new AlreadyMoved() : notEmpty(name);
  }
  await run(`CREATE TABLE ${UNFINISHED_MOVE} (source TEXT PRIMARY KEY, progress TEXT)`);
  await run(`INSERT INTO ${UNFINISHED_MOVE} (source) VALUES ($1)`, source);
}

/** True if an earlier move has already copied the data from the same source to this database. */
async function isCopy(run: Run, source: string): Promise<boolean> {
  if (!(await tableExists(run, 'identity'))) return false;
  return (await run<{ id: string }>('SELECT id FROM identity'))[0]?.id === source;
}

/** Deletes the rows that migrations have inserted. Deletes nothing if copying has already started. */
async function empty(run: Run, tables: readonly Table[]): Promise<void> {
  if ((await progressText(run)) !== null) return;
  for (const { name } of tables.toReversed()) await run(`DELETE FROM ${name}`);
}

async function progressText(run: Run): Promise<string | null> {
  return (await run<{ progress: string | null }>(`SELECT progress FROM ${UNFINISHED_MOVE}`))[0]?.progress ?? null;
}
