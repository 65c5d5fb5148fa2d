/** The few words in which the engines' schema languages differ. */
export interface Dialect {
  /** A column that numbers its rows, never giving a number twice. */
  serial: string;
  integer: string;
  real: string;
  /** The hour that is just now, by its number (`hourNumber`). */
  hourNow: string;
  bytes: string;
  /** What follows a table's closing parenthesis. */
  tableOptions: string;
  /** The same for a table that is kept in the order of its primary key, where the engine has such. */
  clusteredOptions: string;
  /**
   * Orders a unique column of text by its bytes, where the engine would order it by a language: its index would be slower
   * to search, and wrong after an update of the system's rules for that language.
   */
  byteOrder(table: string, column: string): { indexes: Index[]; statements: string[] };
  /** Keeps counts of days in a table for each month, where the engine has such; what there is by now stays in one of its own. */
  clickDaysByMonth(now: number): Prepared;
}

/** An index that is made without keeping anybody from writing, where the engine can. */
export interface Index {
  name: string;
  unique?: boolean;
  /** The table and its columns, such as `links (account_id, id)`. */
  on: string;
}

/**
 * One step of the schema, applied once and never undone. After its release it may come to the same schema another way, but
 * not to another one.
 */
export interface Migration {
  id: number;
  name: string;
  /**
   * The newest step that the oldest program knows which works on a database with this one, however new that is otherwise.
   * Without it, only programs that know the step itself do.
   */
  oldest?: number;
  /** Made before the statements, one at a time, since they take long on a large table. Of tables and columns of earlier steps. */
  indexes?(dialect: Dialect): Index[];
  /**
   * Run before the statements and after the indexes, each in a transaction of its own, and again where that was cut short: what
   * takes long and keeps nobody from writing.
   */
  prepare?(dialect: Dialect, now: number): string[];
  /** All of them or none. Those that lock a whole table come last, after what takes long. */
  statements(dialect: Dialect, now: number): string[];
}

interface Prepared {
  prepare: string[];
  statements: string[];
}

export function createIndex({ name, unique, on }: Index, how: 'CONCURRENTLY' | 'IF NOT EXISTS'): string {
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${how} ${name} ON ${on}`;
}
