import { escapeLiteral, type PoolClient } from 'pg';
import { createPool } from '../store/postgres/database.ts';
import { applySteps } from '../store/postgres/migrate.ts';
import { liveProcesses } from '../store/postgres/serving-processes.ts';
import { type Run, readSteps } from '../store/postgres/steps.ts';
import { describeProcess, HEARD_OF_WITHIN } from '../store/serving-processes.ts';
import { StoreError } from '../store/store.ts';
import { UNFINISHED_MOVE } from '../store/unfinished-move.ts';
import { movedBefore, notEmpty, otherMove, readProgress, rivalMove, writeProgress } from './progress.ts';
import type { Row, Value } from './rows.ts';
import type { Column, ColumnType, Table } from './schema.ts';
import type { Readable, Source, Target } from './sides.ts';

/** How long to wait for a writer that is at work before the move is given up, in milliseconds. */
const LOCK_TIMEOUT = 10_000;

/** Rows fetched at once; a row may hold a few hundred kilobytes. */
const FETCHED = 500;

/** Neither a server's settings for requests nor anything else may end what takes this long. */
const UNBOUNDED = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0;
  SET default_transaction_isolation = 'read committed'`;

/**
 * A PostgreSQL database as the source of a move. Its tables are locked: who would write waits, and gives up.
 *
 * @throws StoreError while a process serves it
 */
export async function postgresSource(url: string, identity: string, tables: readonly Table[]): Promise<Source> {
  const { run, close } = await connect(url);
  try {
    await run('BEGIN');
    await run(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
    await run(`LOCK TABLE ${[...tables.map(({ name }) => name), 'serving_processes'].join(', ')} IN SHARE MODE`);
    await refuseIfServed(run);
    return { ...readable(run, true), identity, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @throws StoreError while a process serves a database */
export async function refuseServed(url: string): Promise<void> {
  const { run, close } = await connect(url);
  await refuseIfServed(run).finally(close);
}

async function refuseIfServed(run: Run): Promise<void> {
  const [process] = await liveProcesses(run);
  if (!process) return;
  throw new StoreError(
    `The database to move is served by ${describeProcess(process)}. Stop every process that serves it. If that one was killed, try again ${HEARD_OF_WITHIN / 1000} seconds after it was last heard of.`,
  );
}

/**
 * A PostgreSQL database as the target of a move.
 *
 * @throws StoreError where it is not empty and no move from the same source was begun
 */
export async function postgresTarget(
  url: string,
  source: string,
  tables: readonly Table[],
  now: number,
): Promise<Target> {
  const { run, close } = await connect(url);
  const transaction = transactionsOn(run);
  let noted: string | null;
  try {
    // What is committed last is waited for, and with it all that came before.
    await run('SET synchronous_commit = off');
    await transaction(() => begin(run, source, tables));
    await applySteps(url, now);
    await transaction(() => empty(run, tables));
    noted = await progressText(run);
  } catch (error) {
    await close();
    throw error;
  }

  return {
    ...readable(run, false),
    progress: async () => readProgress(noted),
    async append(table, rows, to) {
      const text = writeProgress(to);
      await transaction(async () => {
        const advanced = await run(
          `UPDATE ${UNFINISHED_MOVE} SET progress = $1 WHERE progress IS NOT DISTINCT FROM $2 RETURNING source`,
          text,
          noted,
        );
        if (advanced.length !== 1) throw rivalMove();
        if (rows.length > 0) await run(insertInto(table), ...table.columns.map((_, at) => rows.map((row) => row[at])));
      });
      noted = text;
    },
    async finish(numbers) {
      await transaction(async () => {
        await run('SET LOCAL synchronous_commit = on');
        for (const [{ name }, last] of numbers) {
          // A sequence begins at 1: one that gave no number yet gives that one next.
          await run('SELECT setval($1, $2, $3)', await sequenceOf(run, name), Math.max(last, 1), last > 0);
        }
        await run(`DROP TABLE ${UNFINISHED_MOVE}`);
      });
      await run(`ANALYZE ${tables.map(({ name }) => name).join(', ')}`);
    },
    storable: (table, row) => (row.some(hasNul) ? row.map((value, at) => withoutNul(table, at, value)) : row),
    close,
  };
}

/** Notes whose move this is, in a database without any table of ours, before there is one. */
async function begin(run: Run, source: string, tables: readonly Table[]): Promise<void> {
  if (await isThere(run, UNFINISHED_MOVE)) {
    const [row] = await run<{ source: string }>(`SELECT source FROM ${UNFINISHED_MOVE}`);
    if (row?.source !== source) throw otherMove();
    return;
  }
  for (const name of ['migrations', ...tables.map((table) => table.name)]) {
    if (await isThere(run, name)) throw (await isCopy(run, source)) ? movedBefore() : notEmpty(name);
  }
  await run(`CREATE TABLE ${UNFINISHED_MOVE} (source TEXT PRIMARY KEY, progress TEXT)`);
  await run(`INSERT INTO ${UNFINISHED_MOVE} (source) VALUES ($1)`, source);
}

/** Whether it is what another move from the same source came to. */
async function isCopy(run: Run, source: string): Promise<boolean> {
  if (!(await isThere(run, 'identity'))) return false;
  return (await run<{ id: string }>('SELECT id FROM identity'))[0]?.id === source;
}

async function isThere(run: Run, table: string): Promise<boolean> {
  return (await run<{ at: string | null }>('SELECT to_regclass($1)::text AS at', table))[0]?.at != null;
}

/** Takes away what the steps of the schema put there, once. */
async function empty(run: Run, tables: readonly Table[]): Promise<void> {
  if ((await progressText(run)) !== null) return;
  for (const { name } of tables.toReversed()) await run(`DELETE FROM ${name}`);
}

async function progressText(run: Run): Promise<string | null> {
  return (await run<{ progress: string | null }>(`SELECT progress FROM ${UNFINISHED_MOVE}`))[0]?.progress ?? null;
}

/** The steps that a database has seen; none where it is no database of Terse. */
export async function stepsAt(url: string) {
  const { run, close } = await connect(url);
  try {
    return (await isThere(run, 'migrations')) ? await readSteps(run) : [];
  } finally {
    await close();
  }
}

/** One connection, and nothing else: a cursor and a transaction are a connection's own. */
async function connect(url: string): Promise<{ run: Run; close(): Promise<void> }> {
  const pool = createPool(url, { max: 1, application_name: 'terse move' });
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    await pool.end();
    throw new StoreError(`The PostgreSQL database cannot be opened: ${(error as Error).message}.`, { cause: error });
  }
  client.on('error', () => {});
  await client.query(UNBOUNDED);
  return {
    run: async (text, ...values) => (await client.query(text, values)).rows,
    async close() {
      client.release(true);
      await pool.end();
    },
  };
}

type Transaction = <Result>(work: () => Promise<Result>) => Promise<Result>;

function transactionsOn(run: Run): Transaction {
  return async (work) => {
    await run('BEGIN');
    try {
      const result = await work();
      await run('COMMIT');
      return result;
    } catch (error) {
      await run('ROLLBACK').catch(() => {});
      throw error;
    }
  };
}

/** @param isInTransaction whether a transaction runs already, which a cursor needs to live in */
function readable(run: Run, isInTransaction: boolean): Readable {
  async function* rows(table: Table, after: Row | null): AsyncGenerator<Row> {
    const key = table.key.map((at) => byBytes(table.columns[at] as Column));
    const from = after === null ? '' : `WHERE (${key.join(', ')}) > (${after.map(literal).join(', ')})`;
    const columns = table.columns.map(({ name }) => name).join(', ');
    if (!isInTransaction) await run('BEGIN');
    try {
      await run(
        `DECLARE moved NO SCROLL CURSOR FOR SELECT ${columns} FROM ${table.name} ${from} ORDER BY ${key.join(', ')}`,
      );
      for (;;) {
        const fetched = await run<Record<string, Value>>(`FETCH ${FETCHED} FROM moved`);
        for (const row of fetched) yield table.columns.map(({ name }) => row[name] as Value);
        if (fetched.length < FETCHED) return;
      }
    } finally {
      // Where it failed there may be nothing to end any more.
      await run(isInTransaction ? 'CLOSE moved' : 'COMMIT').catch(() => {});
    }
  }

  return {
    async count({ name }) {
      const [row] = await run<{ rows: number }>(`SELECT count(*) AS rows FROM ${name}`);
      return row?.rows ?? 0;
    },
    rows,
    async lastNumber({ name }) {
      const sequence = await sequenceOf(run, name);
      const [row] = await run<{ last: number; used: boolean }>(
        `SELECT last_value AS last, is_called AS used FROM ${sequence}`,
      );
      return row?.used ? row.last : 0;
    },
  };
}

async function sequenceOf(run: Run, table: string): Promise<string> {
  const [row] = await run<{ name: string }>("SELECT pg_get_serial_sequence($1, 'id') AS name", table);
  return row?.name as string;
}

const TYPES: Record<ColumnType, string> = {
  integer: 'bigint',
  real: 'double precision',
  text: 'text',
  bytes: 'bytea',
};

function insertInto({ name, columns }: Table): string {
  const arrays = columns.map(({ type }, at) => `$${at + 1}::${TYPES[type]}[]`);
  return `INSERT INTO ${name} (${columns.map((column) => column.name).join(', ')})
    SELECT * FROM unnest(${arrays.join(', ')})`;
}

/** Texts in the order of their bytes, as the other engine has them, whatever the database's language. */
function byBytes({ name, type }: Column): string {
  return type === 'text' ? `${name} COLLATE "C"` : name;
}

function literal(value: Value): string {
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'::bytea`;
  return typeof value === 'string' ? escapeLiteral(value) : String(value);
}

const NUL = '\0';

function hasNul(value: Value): boolean {
  return typeof value === 'string' && value.includes(NUL);
}

/** This engine's texts hold no NUL. @throws StoreError where that would make another row of it */
function withoutNul(table: Table, at: number, value: Value): Value {
  if (!hasNul(value)) return value;
  if (table.key.includes(at)) {
    throw new StoreError(
      `A row of ${table.name} has a NUL in ${table.columns[at]?.name}, which PostgreSQL cannot hold.`,
    );
  }
  return String(value).replaceAll(NUL, '\uFFFD');
}
