import type { PoolClient } from 'pg';
import { MOVED_AWAY_TEXT, MOVED_AWAY_TRIGGER } from '../store/migrations/all-migrations.ts';
import { createPool } from '../store/postgres/connection-pool.ts';
import { applySteps } from '../store/postgres/migrate.ts';
import { reasonOf } from '../store/postgres/postgres-errors.ts';
import { describeProcess, HEARTBEAT_TIMEOUT, liveProcesses, lockOf } from '../store/postgres/serving-processes.ts';
import type { Run, Statement } from '../store/sql/sql-runner.ts';
import { StoreError } from '../store/store-errors.ts';
import type { Column, ColumnType, MoveDatabase, Row, Table, Value } from './tables-and-rows.ts';

/**
 * Number of rows to fetch at once. The number is small, because a single row can take up several hundred kilobytes.
 */
const FETCHED = 500;

/** Maximum time to wait for open transactions of other processes, in milliseconds. After this time, the move fails. */
const LOCK_TIMEOUT = 5000;

/** Disables the timeouts of PostgreSQL, because a move can take hours. */
const UNBOUNDED = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0;
  SET default_transaction_isolation = 'read committed'`;

/** Name of a function that refuses writes. */
const REFUSE = `refuse_${MOVED_AWAY_TRIGGER}`;

const TYPES: Record<ColumnType, string> = {
  integer: 'bigint',
  real: 'double precision',
  text: 'text',
  bytes: 'bytea',
};

/**
 * Opens a PostgreSQL database, and locks it against other moves.
 *
 * @throws StoreError if the server is unreachable, or if another move uses the database
 */
export async function openPostgres(url: string): Promise<MoveDatabase> {
  const pool = createPool(url, { max: 1, application_name: 'terse move' });
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    await pool.end();
    throw new StoreError(`The PostgreSQL database cannot be opened: ${reasonOf(error)}.`, { cause: error });
  }
  const close = async () => {
    client.release(true);
    await pool.end();
  };
  try {
    await client.query(UNBOUNDED);
    await lockAgainstMoves(client);
  } catch (error) {
    await close();
    throw error;
  }
  return { ...movesOn(client), createTables: (now) => applySteps(url, now), close };
}

/** The lock belongs to the connection, so it also ends if this process is killed. */
async function lockAgainstMoves(client: PoolClient): Promise<void> {
  const { rows } = await client.query(`SELECT pg_try_advisory_lock(${lockOf('move').sql}) AS held`);
  if (!rows[0].held) {
    throw new StoreError('FROM and TO are the same database, or another move is using one of them.');
  }
}

function movesOn(client: PoolClient): Omit<MoveDatabase, 'createTables' | 'close'> {
  const run: Run = async <Found>({ text, values }: Statement) =>
    (await client.query<Found & object>(text, values)).rows;
  const execute = async (statements: string): Promise<void> => void (await client.query(statements));

  return {
    run,
    execute,
    async tableNames() {
      const { rows } = await client.query('SELECT tablename FROM pg_tables WHERE schemaname = current_schema()');
      return rows.map(({ tablename }) => tablename);
    },
    async lock(tables) {
      await execute(`BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
      await execute(`LOCK TABLE serving_processes, ${tables.join(', ')} IN SHARE MODE`);
      await refuseIfServed(run);
    },
    async *rows({ name, columns, key }) {
      const names = columns.map((column) => column.name).join(', ');
      const order = key.map((at) => byBytes(columns[at] as Column)).join(', ');
      await execute(`DECLARE moved NO SCROLL CURSOR FOR SELECT ${names} FROM ${name} ORDER BY ${order}`);
      for (;;) {
        const { rows } = await client.query({ text: `FETCH ${FETCHED} FROM moved`, rowMode: 'array' });
        yield* rows as unknown as Row[];
        if (rows.length < FETCHED) break;
      }
      await execute('CLOSE moved');
    },
    async insert({ name, columns }, rows) {
      const names = columns.map((column) => column.name).join(', ');
      const arrays = columns.map(({ type }, at) => `$${at + 1}::${TYPES[type]}[]`).join(', ');
      const values = columns.map((_, at) => rows.map((row) => row[at]));
      await client.query(`INSERT INTO ${name} (${names}) SELECT * FROM unnest(${arrays})`, values);
    },
    storable: (table, row) => (row.some(hasNul) ? row.map((value, at) => withoutNul(table, at, value)) : row),
    async lastNumber({ name }) {
      const { rows } = await client.query(`SELECT last_value, is_called FROM ${await sequenceOf(client, name)}`);
      return rows[0].is_called ? rows[0].last_value : 0;
    },
    async setLastNumber({ name }, last) {
      // Sequences in PostgreSQL start at 1, so the next value for an empty table is 1.
      const values = [await sequenceOf(client, name), Math.max(last, 1), last > 0];
      await client.query('SELECT setval($1, $2, $3)', values);
    },
    async refuseWrites(tables) {
      // Uses the error code of a read-only server, so processes that are still connected report that the database is
      // unavailable.
      await execute(
        `CREATE FUNCTION ${REFUSE}() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN RAISE EXCEPTION USING ERRCODE = 'read_only_sql_transaction', MESSAGE = ${MOVED_AWAY_TEXT}; END $$`,
      );
      for (const name of tables) {
        await execute(
          `CREATE TRIGGER ${MOVED_AWAY_TRIGGER} BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${name}
           FOR EACH STATEMENT EXECUTE FUNCTION ${REFUSE}()`,
        );
      }
    },
    // `CASCADE` also deletes the triggers that call the function.
    allowWrites: () => execute(`DROP FUNCTION ${REFUSE}() CASCADE`),
  };
}

async function refuseIfServed(run: Run): Promise<void> {
  const [process] = await liveProcesses(run);
  if (!process) return;
  throw new StoreError(
    `The database to move is served by ${describeProcess(process)}. Stop every process that serves it. If it was killed, try again ${HEARTBEAT_TIMEOUT / 1000} seconds after its last heartbeat.`,
  );
}

async function sequenceOf(client: PoolClient, table: string): Promise<string> {
  return (await client.query("SELECT pg_get_serial_sequence($1, 'id') AS name", [table])).rows[0].name;
}

/** Returns an SQL expression to sort by a column. Text is sorted by its bytes, as in SQLite. */
function byBytes({ name, type }: Column): string {
  return type === 'text' ? `${name} COLLATE "C"` : name;
}

const NUL = '\0';

function hasNul(value: Value): boolean {
  return typeof value === 'string' && value.includes(NUL);
}

/**
 * Replaces NUL characters, because PostgreSQL cannot store them.
 *
 * @throws StoreError if the primary key contains a NUL character
 */
function withoutNul({ name, columns, key }: Table, at: number, value: Value): Value {
  if (!hasNul(value)) return value;
  if (key.includes(at)) {
    throw new StoreError(
      `A row of ${name} has a NUL character in ${columns[at]?.name}, which PostgreSQL cannot store.`,
    );
  }
  return String(value).replaceAll(NUL, '\uFFFD');
}
