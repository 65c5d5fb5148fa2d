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
   * Orders a column of text by its bytes, where the engine would order it by a language: its index would be slower to
   * search, and wrong after an update of the system's rules for that language.
   */
  byteOrder(table: string, column: string): string[];
}

/** One step of the schema, applied once, never changed after its release and never undone. */
export interface Migration {
  id: number;
  name: string;
  statements(dialect: Dialect): string[];
}
