import type { Row } from './rows.ts';
import type { Table } from './schema.ts';

/** A database that is read, whichever engine it is. */
export interface Readable {
  count(table: Table): Promise<number>;
  /** Rows in the order of their key, texts by their bytes, from the one that follows `after`. */
  rows(table: Table, after: Row | null): AsyncGenerator<Row>;
  /** The last number that a table which numbers its rows has given; 0 where it gave none. */
  lastNumber(table: Table): Promise<number>;
}

/** The database that is moved. Nobody else can write it until it is closed. */
export interface Source extends Readable {
  /** What tells it from every other. */
  identity: string;
  /** Whether an address of a server leads to this very database, by whatever name the server is called there. */
  isAt(url: string): Promise<boolean>;
  /** Whether it was moved away once, and that was undone. */
  wasUndone(): Promise<boolean>;
  /**
   * Marks it as moved away: nobody opens it any more, and whoever has it open writes nothing. What tells visitors apart is gone from
   * it. On disk when it resolves.
   */
  leave(tables: readonly Table[], now: number): Promise<void>;
  close(): Promise<void>;
}

/** How far a move is: in which table, and the last key that was written there. */
export interface Progress {
  table: string;
  /** Null where the table is yet to begin. */
  after: Row | null;
}

/** A database that is compared with the one it was moved from. */
export interface Copy extends Readable {
  /** A row as this engine can hold it, or the row itself. */
  storable(table: Table, row: Row): Row;
  close(): Promise<void>;
}

/** The database that is moved to. It opens for nothing but the same move until that is finished. */
export interface Target extends Copy {
  /** Null where nothing was moved yet. */
  progress(): Promise<Progress | null>;
  /** Writes rows and how far the move is then, in ONE transaction. */
  append(table: Table, rows: Row[], to: Progress): Promise<void>;
  /** Has tables go on with their numbers, and opens the database for everybody; on disk when it resolves. */
  finish(numbers: ReadonlyMap<Table, number>): Promise<void>;
  /** Learns how its rows are spread, which may take a while; a database does without, more slowly, until it does so itself. */
  tidy(): Promise<void>;
}
